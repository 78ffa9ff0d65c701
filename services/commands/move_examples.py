"""One request for each move, for the specification."""

from __future__ import annotations

from typing import Any

_MOVES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Draft a building", {"type": "choose_building", "building": "hacienda"}),
    ("Take a role", {"type": "choose_role", "role": "settler"}),
    ("Take a plantation", {"type": "take_plantation", "tile": "corn"}),
    ("Draw with the hacienda", {"type": "draw_plantation"}),
    ("Place the drawn tile as a forest", {"type": "place_drawn_plantation", "as_forest": True}),
    (
        "Arrange the colonists",
        {"type": "place_colonists", "island": [1, 0, 1], "city": {"small_market": 1}},
    ),
    ("Build", {"type": "build", "building": "small_market"}),
    (
        "Build with the black market",
        {"type": "build", "building": "factory", "exchange": {"good": "corn", "colonist": 0}},
    ),
    ("Take the privilege's good", {"type": "take_extra_good", "good": "sugar"}),
    ("Sell", {"type": "sell_good", "good": "coffee"}),
    ("Load a cargo ship", {"type": "load_goods", "good": "corn", "ship": 1}),
    ("Load one's wharf", {"type": "load_goods", "good": "indigo", "ship": "wharf"}),
    ("Load the small wharf", {"type": "load_small_wharf", "goods": {"corn": 1, "sugar": 1}}),
    ("Store", {"type": "store_goods", "warehouses": ["corn"], "barrels": {"sugar": 1}}),
    ("Move a guest", {"type": "move_guests", "guests": [{"to": "factory"}]}),
    ("Pass", {"type": "pass"}),
)

MOVES: dict[str, dict[str, Any]] = {
    summary.lower().replace(" ", "_").replace("'", ""): {
        "summary": summary,
        "value": {"move": move, "decision_id": "2.117"},
    }
    for summary, move in _MOVES
}
