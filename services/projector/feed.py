"""What the log has after given positions, of several parts in one round trip."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import LiteralString

from shared.eventstore.pool import Pool
from shared.eventstore.records import Record
from shared.eventstore.store import COLUMNS

_READ: LiteralString = f"""
    select {COLUMNS} from
        unnest(string_to_array(%s, ' ')::smallint[], string_to_array(%s, ' ')::bigint[],
               string_to_array(%s, ' ')::int[]) as asked (of_part, after_seq, most)
        cross join lateral (
            select {COLUMNS} from es.events where part = of_part and seq > after_seq
            order by seq limit most) as events
    order by part, seq"""  # noqa: S608


class Feed:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def read(self, asked: Mapping[int, tuple[int, int]]) -> Mapping[int, Sequence[Record]]:
        """By part, in order: the records after a position, and so many at most.

        Parts that have none are left out.
        """
        after, most = zip(*asked.values(), strict=True)
        lists = [" ".join(map(str, numbers)) for numbers in (asked, after, most)]
        found: defaultdict[int, list[Record]] = defaultdict(list)
        with self._pool.connection() as connection:
            for row in connection.execute(_READ, lists):
                record = Record(*row)
                found[record.part].append(record)
        return found
