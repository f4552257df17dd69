"""Where the reads of one client wait, and how a wait ends when the client is closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from gatehouse_sdk.errors import GatehouseError

_Answer = TypeVar("_Answer")


class Turnstile:
    """
    Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time
    has passed, and then go one after another: together they would be over the limit again at once. When none waits any
    more, all pass freely. Closing it ends every wait, for good.
    """

    def __init__(self) -> None:
        #: Held by whoever changes the members below; notified when one of them changes.
        self._changed = threading.Condition()
        self._is_closed = False
        self._opens_at = 0.0
        self._waiting = 0
        self._is_taken = False

    def pass_through(self, send: Callable[[], _Answer], limited_for: Callable[[_Answer], float | None]) -> _Answer:
        """
        Sends when it is this read's turn.

        :param limited_for: For how many seconds the key is over its limit by this answer; None when it is not.
        """
        with self._changed:
            self.assert_open()
            waits = self._waiting > 0 or time.monotonic() < self._opens_at
            if waits:
                self._waiting += 1
        if not waits:
            return self._sent(send, limited_for)
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed or not self._is_taken)
                self.assert_open()
                self._is_taken = True
            try:
                self._wait_until_it_opens()
                return self._sent(send, limited_for)
            finally:
                with self._changed:
                    self._is_taken = False
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._waiting -= 1

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

    def _sent(self, send: Callable[[], _Answer], limited_for: Callable[[_Answer], float | None]) -> _Answer:
        answer = send()
        limited = limited_for(answer)
        if limited is not None:
            with self._changed:
                self._opens_at = max(self._opens_at, time.monotonic() + limited)
        return answer

    def _wait_until_it_opens(self) -> None:
        # Answers to what was sent earlier may have moved it meanwhile.
        while (left := self._opens_at - time.monotonic()) > 0:
            self.pause(left)
