"""Answers with entity tags, as they are given again when Gatehouse says that nothing has changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

_MIB = 1024 * 1024


@dataclass(frozen=True)
class RememberedLimits:
    """Most answers, and most bytes of all bodies together."""

    answers: int = 100
    bytes: int = 16 * _MIB


@dataclass(frozen=True)
class RememberedAnswer:
    entity_tag: str
    headers: Mapping[str, str]
    data: bytes


class RememberedAnswers:
    """Answers by address and API key, within limits: those that were used longest ago are forgotten first."""

    def __init__(self, limits: RememberedLimits) -> None:
        self._limits = limits
        self._lock = Lock()
        self._answers: OrderedDict[str, RememberedAnswer] = OrderedDict()
        self._bytes = 0

    def find(self, key: str) -> RememberedAnswer | None:
        with self._lock:
            found = self._answers.get(key)
            if found is not None:
                self._answers.move_to_end(key)
            return found

    def remember(self, key: str, answer: RememberedAnswer) -> None:
        with self._lock:
            self._forget(key)
            if len(answer.data) > self._limits.bytes:
                return
            self._answers[key] = answer
            self._bytes += len(answer.data)
            while len(self._answers) > self._limits.answers or self._bytes > self._limits.bytes:
                self._forget(next(iter(self._answers)))

    def _forget(self, key: str) -> None:
        forgotten = self._answers.pop(key, None)
        if forgotten is not None:
            self._bytes -= len(forgotten.data)
