"""What is measured of the projection, summed over all its processes."""

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from shared.metrics import registry

EVENTS = Counter("puertorico_projection_events", "Events taken into the read models.")
DRAINS = Counter("puertorico_projection_drains", "Runs over a part.", ["cause"])
SECONDS = Histogram(
    "puertorico_projection_seconds",
    "From an event's commit until the read models hold it.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
)
FAILURES = Counter("puertorico_projection_failures", "Attempts at events that failed.")
DEAD_LETTERS = Counter("puertorico_projection_dead_letters", "Games given up as stale.")
REPAIRS = Counter("puertorico_sweeper_repairs", "Parts that no wake-up had brought up to date.")
QUEUE = Gauge(
    "puertorico_projection_queue_depth",
    "Wake-ups that wait for a worker.",
    multiprocess_mode="mostrecent",
)
LAG_EVENTS = Gauge(
    "puertorico_projection_lag_events",
    "Events in the log that the read models lack.",
    multiprocess_mode="mostrecent",
)
LAG_SECONDS = Gauge(
    "puertorico_projection_lag_seconds",
    "How long the part that waits longest has been seen behind.",
    multiprocess_mode="mostrecent",
)


def expose(port: int | None) -> None:
    """Show them at this port, where no web service does."""
    if port is not None:
        start_http_server(port, registry=registry())
