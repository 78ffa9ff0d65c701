"""One piece of work at a time for each key; who asks meanwhile gets its result."""

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """For threads or greenlets of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._flights: dict[K, Future[V]] = {}

    def run(self, key: K, work: Callable[[K], V]) -> tuple[V, bool]:
        """The result, and whether the work was begun by this call. Its error goes to all."""
        with self._lock:
            flight = self._flights.get(key)
            if is_ours := flight is None:
                flight = self._flights[key] = Future()
        if is_ours:
            self._fly(key, work, flight)
        return flight.result(), is_ours

    def _fly(self, key: K, work: Callable[[K], V], flight: Future[V]) -> None:
        try:
            flight.set_result(work(key))
        except BaseException as error:  # noqa: BLE001  # raised again by flight.result()
            flight.set_exception(error)
        finally:
            with self._lock:
                del self._flights[key]
