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

#: Of reads that have waited. So many at most are refused once more where a gateway gives more turns than it lets pass.
_UNDER_WAY_MAX = 8

#: Turns are whole seconds apart, and as far from them as the refusals that brought them from each other.
_MOMENT_SECONDS = 0.5


class Turnstile:
    """
    Where the reads of one key pass. A read that is refused because the key is over its limit waits, in front of those
    that came after it, and brings a turn: the time that the answer names. At each turn the first read that waits is
    sent, whichever brought it. Those that wait when no turn is left go one after another: together they would be over
    the limit at once. When none waits any more, all pass freely. Closing it ends every wait, for good.
    """

    def __init__(self) -> None:
        #: Taken by a thread that reads or changes the members below, and those of the reads.
        self._lock = threading.Lock()
        self._closed = threading.Condition(self._lock)
        self._is_closed = False
        self._numbers = itertools.count()
        #: Reads that wait, in the order of their numbers.
        self._queue: list[Read] = []
        #: By ``time.monotonic``, the earliest first; never more than reads that wait.
        self._turns: list[float] = []
        #: Reads that waited and have no answer yet, and until when others wait for it.
        self._under_way: dict[Read, float] = {}

    def read(self, *, may_be_long: bool = False) -> Read:
        """
        A read that comes now, with its place behind all that came before.

        :param may_be_long: True when the server is asked to wait. Others then go on before its answer is there.
        """
        with self._lock:
            seconds = _TURN_OF_LONG_READ_SECONDS if may_be_long else math.inf
            return Read(self, next(self._numbers), seconds, threading.Condition(self._lock))

    def pause(self, seconds: float) -> None:
        """
        :raises GatehouseError: "cancelled", as soon as the client is closed.
        """
        with self._lock:
            self._closed.wait_for(lambda: self._is_closed, timeout=seconds)
            self.assert_open()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._closed.notify_all()
            for read in self._queue:
                read.changed.notify()

    def assert_open(self) -> None:
        """
        :raises GatehouseError: "cancelled", when the client is closed.
        """
        if self._is_closed:
            raise GatehouseError(0, "cancelled", "The client was closed.")

    def enter(self, read: Read) -> None:
        """Returns when the read may be sent."""
        with self._lock:
            self.assert_open()
            # One that was refused waits already, or its turn has come meanwhile.
            is_new = not read.is_waiting and read not in self._under_way
            if is_new and (self._queue or self._seconds_until_next() > 0):
                self._wait(read)
            while read.is_waiting:
                left = self._seconds_until_next() if self._queue[0] is read else math.inf
                if left > 0:
                    read.changed.wait(None if left == math.inf else left)
                    self.assert_open()
                self._begin()

    def leave(self, read: Read, limited_for: float | None) -> None:
        """
        Notes that a read has its answer, or none.

        :param limited_for: Seconds after which the read may come again, by an answer that its key is over the limit. It
            waits then from now on.
        """
        with self._lock:
            is_new = self._under_way.pop(read, None) is None
            if limited_for is not None:
                now = time.monotonic()
                # A read that is refused at its turn shows that there are more turns than the key may use: those of the
                # same moment are void.
                if not is_new:
                    del self._turns[: bisect.bisect(self._turns, now + _MOMENT_SECONDS)]
                if is_new or not self._turns:
                    bisect.insort(self._turns, now + limited_for)
                self._wait(read)
            self._begin()

    def give_up(self, read: Read) -> None:
        """For a read that will not be sent again. The turns that it brought are for those that wait."""
        with self._lock:
            if read.is_waiting:
                self._queue.remove(read)
                read.is_waiting = False
            # An interrupt may have come between the beginning of its turn and its sending.
            self._under_way.pop(read, None)
            del self._turns[len(self._queue) :]
            self._begin()

    def _wait(self, read: Read) -> None:
        read.is_waiting = True
        bisect.insort(self._queue, read, key=lambda other: other.number)

    def _begin(self) -> None:
        """Lets a read go for each turn that has come; without turns one, once no answer is waited for."""
        while self._queue and self._seconds_until_next() <= 0:
            del self._turns[:1]
            first = self._queue.pop(0)
            first.is_waiting = False
            self._under_way[first] = time.monotonic() + first.seconds_under_way
            first.changed.notify()
        # The thread of the first one waits for the time of the next.
        if self._queue:
            self._queue[0].changed.notify()

    def _seconds_until_next(self) -> float:
        """Until the next read may go; infinite while an answer is waited for that may come at any time."""
        now = time.monotonic()
        awaited = sorted(until for until in self._under_way.values() if until > now)
        if not self._turns:
            return awaited[-1] - now if awaited else 0.0
        is_full = len(awaited) >= _UNDER_WAY_MAX
        return max(self._turns[0], awaited[-_UNDER_WAY_MAX] if is_full else 0.0) - now


class Read:
    """One read, which may be sent several times from the same place."""

    def __init__(
        self, turnstile: Turnstile, number: int, seconds_under_way: float, changed: threading.Condition
    ) -> None:
        self._turnstile = turnstile
        self.number = number
        #: For how long others wait for its answer at most.
        self.seconds_under_way = seconds_under_way
        self.is_waiting = False
        #: Its thread is notified when it may go, or has become the first that waits.
        self.changed = changed

    def __enter__(self) -> Read:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._turnstile.give_up(self)

    def pass_through(self, send: Callable[[], _Answer], limited_for: Callable[[_Answer], float | None]) -> _Answer:
        """
        Sends when it is this read's turn.

        :param limited_for: After how many seconds a read may come again that was refused because its key is over the
            limit; None for every other answer.
        """
        self._turnstile.enter(self)
        limited: float | None = None
        try:
            answer = send()
            limited = limited_for(answer)
            return answer
        finally:
            self._turnstile.leave(self, limited)
