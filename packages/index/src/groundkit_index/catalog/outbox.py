"""Changes that derived indexes have not taken up yet."""

from __future__ import annotations

from collections.abc import Iterable

from sqlite_utils import Database

_ALL_KEYS = "select chunk_key from chunks order by chunk_key"
_CONSUMERS = "select name from consumers"
_TAKE_UP_ALL = "update consumers set acked=coalesce((select max(seq) from outbox), acked)"


class Outbox:
    """The outbox of a catalog; each consumer acknowledges how far it has come."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def enqueue(self, op: str, keys: Iterable[int]) -> None:
        """Add changes (`put` or `delete`) of chunks, in the caller's transaction."""
        self._db.conn.executemany(
            "insert into outbox (op, chunk_key) values (?, ?)", ((op, key) for key in keys)
        )

    def pending(self, consumer: str, limit: int) -> list[tuple[int, str, int]]:
        """Return up to `limit` changes (seq, op, chunk key) that a consumer has not taken up."""
        rows = self._db.execute(
            "select seq, op, chunk_key from outbox where seq >"
            " (select acked from consumers where name=?) order by seq limit ?",
            (consumer, limit),
        )
        return rows.fetchall()

    def count(self, consumer: str) -> int:
        """Return how many changes a consumer has not taken up."""
        row = self._db.execute(
            "select count(*) from outbox where seq > (select acked from consumers where name=?)",
            (consumer,),
        ).fetchone()
        return int(row[0])

    def has(self, consumer: str) -> bool:
        """Return whether a consumer is registered."""
        found = self._db.execute("select 1 from consumers where name=?", (consumer,)).fetchone()
        return found is not None

    def add_consumer(self, consumer: str, others: str) -> None:
        """Register a consumer that every chunk is offered to, in the caller's transaction.

        Args:
            consumer: its name.
            others: the consumer that has taken up everything, and is not offered it again.
        """
        self._db.execute(
            "insert into consumers (name, acked) select ?, acked from consumers where name=?",
            (consumer, others),
        )
        self._db.execute(
            "insert into outbox (op, chunk_key) select 'put', chunk_key from chunks"
            " order by chunk_key"
        )
        self._db.execute(
            "update consumers set acked=(select coalesce(max(seq), acked) from outbox)"
            " where name=?",
            (others,),
        )

    def acknowledge(self, consumer: str, seq: int) -> None:
        """Record that a consumer holds everything up to `seq` durably; drop what all hold."""
        with self._db.atomic():
            self._db.execute("update consumers set acked=? where name=?", (seq, consumer))
            self._db.execute("delete from outbox where seq <= (select min(acked) from consumers)")

    def offer_all(self, consumer: str) -> None:
        """Offer every chunk again to a consumer, to fill a derived index anew."""
        self.offer(consumer, [key for (key,) in self._db.execute(_ALL_KEYS)])

    def offer(self, consumer: str, keys: Iterable[int]) -> None:
        """Offer these chunks to a consumer in place of what it has not taken up.

        The others are offered nothing, unless they are behind: then they see these once more.
        """
        with self._db.atomic():
            done = [name for (name,) in self._db.execute(_CONSUMERS) if not self.count(name)]
            self._db.execute(f"{_TAKE_UP_ALL} where name=?", (consumer,))
            self.enqueue("put", keys)
            for other in done:
                if other != consumer:
                    self._db.execute(f"{_TAKE_UP_ALL} where name=?", (other,))
            self._db.execute("delete from outbox where seq <= (select min(acked) from consumers)")
