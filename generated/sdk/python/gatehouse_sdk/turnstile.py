"""Where the reads of one client wait, and how a wait ends when the client is closed."""

from __future__ import annotations

import bisect
import itertools
import math
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from gatehouse_sdk.errors import GatehouseError

_Answer = TypeVar("_Answer")

#: An answer that the key is over its limit comes at once. A read whose answer may come late is not waited for any longer.
_TURN_OF_LONG_READ_SECONDS = 0.5


class Turnstile:
    """
    Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time
    has passed, and then go one after another: together they would be over the limit again at once. First come, first
    served; a read that meets the limit once more is still the first. When none waits any more, all pass freely. Closing
    it ends every wait, for good.
    """

    def __init__(self) -> None:
        #: Held by whoever changes the members below; notified when one of them changes.
        self._changed = threading.Condition()
        self._is_closed = False
        self._opens_at = 0.0
        self._numbers = itertools.count()
        #: Numbers of the reads that wait, lowest first.
        self._waiting: list[int] = []
        #: The number of the read whose turn it is; None when it is nobody's.
        self._turn_of: int | None = None
        self._turn_ends_at = 0.0

    def read(self, *, may_be_long: bool = False) -> Read:
        """
        A read that comes now, with its place behind all that came before.

        :param may_be_long: True when the server is asked to wait. Others then go on before its answer is there.
        """
        with self._changed:
            return Read(self, next(self._numbers), _TURN_OF_LONG_READ_SECONDS if may_be_long else math.inf)

    def pause(self, seconds: float) -> None:
        """
        :raises GatehouseError: "cancelled", as soon as the client is closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed, timeout=seconds)
            self.assert_open()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def assert_open(self) -> None:
        """
        :raises GatehouseError: "cancelled", when the client is closed.
        """
        if self._is_closed:
            raise GatehouseError(0, "cancelled", "The client was closed.")

    def enter(self, number: int, turn_seconds: float) -> None:
        """Returns when the read may be sent."""
        with self._changed:
            self.assert_open()
            if not self._waiting and self._seconds_until_open() <= 0:
                return
            self._wait(number)
            while (left := self._seconds_until_turn_of(number)) > 0:
                self._changed.wait(None if left == math.inf else left)
                self.assert_open()
            self._waiting.remove(number)
            self._turn_of = number
            self._turn_ends_at = time.monotonic() + turn_seconds
            self._changed.notify_all()

    def leave(self, number: int, limited_for: float | None) -> None:
        """
        Ends the turn of a read, if it had one.

        :param limited_for: Seconds for which the key is over its limit by the answer: the read keeps its place then.
        """
        with self._changed:
            if limited_for is not None:
                self._opens_at = max(self._opens_at, time.monotonic() + limited_for)
                self._wait(number)
            if self._turn_of == number:
                self._turn_of = None
            self._changed.notify_all()

    def give_up(self, number: int) -> None:
        """Removes a read that will not be sent again."""
        with self._changed:
            if number in self._waiting:
                self._waiting.remove(number)
            # An interrupt may have come between the beginning of its turn and its sending.
            if self._turn_of == number:
                self._turn_of = None
            self._changed.notify_all()

    def _wait(self, number: int) -> None:
        if number not in self._waiting:
            bisect.insort(self._waiting, number)

    def _seconds_until_open(self) -> float:
        """Until nobody's turn is under way and the limit has passed; infinite until a turn ends that has no bound."""
        opens_at = self._opens_at if self._turn_of is None else max(self._opens_at, self._turn_ends_at)
        return opens_at - time.monotonic()

    def _seconds_until_turn_of(self, number: int) -> float:
        return self._seconds_until_open() if self._waiting[0] == number else math.inf


class Read:
    """One read, which may be sent several times from the same place."""

    def __init__(self, turnstile: Turnstile, number: int, turn_seconds: float) -> None:
        self._turnstile = turnstile
        self._number = number
        self._turn_seconds = turn_seconds

    def __enter__(self) -> Read:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._turnstile.give_up(self._number)

    def pass_through(self, send: Callable[[], _Answer], limited_for: Callable[[_Answer], float | None]) -> _Answer:
        """
        Sends when it is this read's turn.

        :param limited_for: For how many seconds the key is over its limit by this answer; None when it is not.
        """
        self._turnstile.enter(self._number, self._turn_seconds)
        limited: float | None = None
        try:
            answer = send()
            limited = limited_for(answer)
            return answer
        finally:
            self._turnstile.leave(self._number, limited)
