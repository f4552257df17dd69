"""One request as this package makes it: with a deadline, retries of reads, and entity tags."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import random
import socket
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import urllib3
from urllib3.exceptions import HTTPError, NewConnectionError
from urllib3.exceptions import TimeoutError as Urllib3TimeoutError

from gatehouse_sdk.errors import GatehouseError, error_of, invalid_argument, retry_after_of
from gatehouse_sdk.remembered_answers import RememberedAnswer, RememberedAnswers
from gatehouse_sdk.turnstile import Read, Turnstile

_RETRIED_STATUSES = frozenset({429, 503})
_FIRST_PAUSE_SECONDS = 0.5
_PAUSE_SECONDS_MAX = 8.0
_MOMENT_SECONDS = 0.001
#: Of what comes over the wire. Unpacked it may be a thousand times as much.
_PIECE_BYTES = 16_384
#: More cannot be waited for at a socket, which counts milliseconds in 31 bits.
SECONDS_MAX = 2_147_483
#: A 304 says them of itself, not of the answer that it confirms (RFC 9111 §3.2).
_NOT_OF_REMEMBERED = frozenset(
    {"content-encoding", "content-length", "content-range", "content-type", "transfer-encoding"}
)


@dataclass
class Answer:
    """An answer as the generated code reads it."""

    status: int
    headers: Mapping[str, str]
    data: bytes
    reason: str = ""

    def read(self) -> bytes:
        return self.data


class _Connections:
    """
    The open connections of a pool, which can be ended while a thread waits for an answer on one, and which keep the
    deadline of the attempt that their thread makes.
    """

    def __init__(self, pool: urllib3.PoolManager) -> None:
        self._lock = threading.Lock()
        self._is_ended = False
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._attempt = threading.local()
        kinds = pool.pool_classes_by_scheme.items()
        pool.pool_classes_by_scheme = {scheme: self._noting(kind) for scheme, kind in kinds}

    def begin_attempt(self, deadline_seconds: float) -> None:
        """What this thread waits for at a connection ends after so many seconds, until the next attempt."""
        self._attempt.ends_at = time.monotonic() + deadline_seconds

    def _seconds_left(self) -> float:
        """Until the deadline; 0 or less afterwards."""
        left: float = self._attempt.ends_at - time.monotonic()
        return left

    def _noting(self, kind: Any) -> Any:
        """The same kind of pool, whose connections are noted here as they are opened."""
        note, seconds_left = self._note, self._seconds_left

        class TimedResponse(http.client.HTTPResponse):
            def __init__(self, sock: socket.socket, *values: Any, **named: Any) -> None:
                super().__init__(sock, *values, **named)
                self.fp = io.BufferedReader(_TimedReader(cast(Any, self.fp).detach(), sock, seconds_left))

            def _read_status(self) -> tuple[str, int, str]:
                """
                Skips answers that come before the final one (RFC 9110 §15.2). Python takes any but 100 for the final
                one, and the next call on the connection would get the answer of this one.
                """
                while True:
                    read: tuple[str, int, str] = cast(Any, super())._read_status()
                    if read[1] <= http.client.SWITCHING_PROTOCOLS or read[1] >= http.client.OK:
                        return read
                    http.client.parse_headers(self.fp)

        class NotedConnection(kind.ConnectionCls):
            response_class = TimedResponse

            def _new_conn(self) -> socket.socket:
                opened: socket.socket = super()._new_conn()
                # TLS begins with what is left. 0 would be no time limit but a socket that never waits.
                opened.settimeout(max(seconds_left(), _MOMENT_SECONDS))
                return opened

            def connect(self) -> None:
                super().connect()
                note(self.sock)

        class NotingPool(kind):
            ConnectionCls = NotedConnection

        return NotingPool

    def _note(self, opened: socket.socket) -> None:
        with self._lock:
            self._sockets.add(opened)
            is_ended = self._is_ended
        if is_ended:
            self.end()

    def end(self) -> None:
        with self._lock:
            self._is_ended = True
            for opened in self._sockets:
                # One that has ended already cannot be shut down.
                with contextlib.suppress(OSError):
                    opened.shutdown(socket.SHUT_RDWR)


class _TimedReader(io.RawIOBase):
    """What a socket receives. The time limit of a socket begins anew with each piece; here each has what is left."""

    def __init__(self, received: io.RawIOBase, sock: socket.socket, seconds_left: Callable[[], float]) -> None:
        self._received = received
        self._socket = sock
        self._seconds_left = seconds_left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._seconds_left()
        if left <= 0:
            raise TimeoutError("The deadline has passed.")
        self._socket.settimeout(left)
        return self._received.readinto(buffer)

    def close(self) -> None:
        self._received.close()
        super().close()


@dataclass(frozen=True)
class Exchange:
    """Takes the place of the generated HTTP client."""

    pool: urllib3.PoolManager
    #: Of one attempt, until the last byte of its answer.
    deadline_seconds: float
    #: Further attempts after the first.
    retries: int
    #: The longest ``Retry-After`` that is waited for.
    longest_wait_seconds: float
    #: The bytes of one answer's body, its content coding undone.
    answer_bytes_max: int
    #: None: none are remembered.
    remembered: RememberedAnswers | None
    #: True for an address of the gateway: only reads of it are attempted again and remembered.
    is_gateway: Callable[[str], bool]
    turnstile: Turnstile = field(default_factory=Turnstile, init=False)
    connections: _Connections = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "connections", _Connections(self.pool))

    def close(self) -> None:
        """Ends every call that is under way in another thread; later ones are refused."""
        self.turnstile.close()
        self.connections.end()
        self.pool.clear()

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        post_params: Any = None,
        _request_timeout: float | tuple[float, float] | None = None,
    ) -> Answer:
        """
        The answer, when it is a success.

        :param _request_timeout: Seconds for an attempt of this call, or for its connection and the rest of it.
        :raises GatehouseError: otherwise.
        """
        sent = urllib3.HTTPHeaderDict(headers or {})
        sent.setdefault("accept-encoding", "gzip")
        is_read = method == "GET" and self.is_gateway(url)
        remembered = self.remembered if is_read and "if-none-match" not in sent else None
        key = f"{url} {sent.get('x-api-key')}"
        known = None if remembered is None else remembered.find(key)
        if known is not None:
            sent["if-none-match"] = known.entity_tag
        text = None if body is None else json.dumps(body)
        deadline_seconds = self.deadline_seconds if _request_timeout is None else _seconds_of(_request_timeout)

        def once() -> Answer:
            return self._attempt(method, url, sent, text, deadline_seconds)

        answer = self._repeated(once, _asks_to_wait(url)) if is_read and self.retries > 0 else once()
        if answer.status == 304 and known is not None:
            return Answer(200, _confirmed(known.headers, answer.headers), known.data)
        if answer.status >= 300:
            raise error_of(answer.status, answer.headers, answer.data)
        entity_tag = answer.headers.get("etag") if _is_storable(answer.headers) else None
        if remembered is not None and answer.status == 200 and entity_tag is not None and _is_json(answer.data):
            remembered.remember(key, RememberedAnswer(entity_tag, answer.headers, answer.data))
        return answer

    def _repeated(self, once: Callable[[], Answer], may_be_long: bool) -> Answer:
        """Attempts a read until it has an answer that is worth no further attempt."""
        with self.turnstile.read(may_be_long=may_be_long) as read:
            return self._repeated_from(read, once)

    def _repeated_from(self, read: Read, once: Callable[[], Answer]) -> Answer:
        failures = 0
        while True:
            is_last = failures >= self.retries
            answer: Answer | None = None
            try:
                answer = read.pass_through(once, self._limited_for)
            except GatehouseError as error:
                if is_last or error.code != "no_answer":
                    raise
            if answer is not None and (is_last or answer.status not in _RETRIED_STATUSES):
                return answer
            asked = None if answer is None else retry_after_of(answer.headers)
            if answer is not None and asked is not None and asked > self.longest_wait_seconds:
                return answer
            # Over the limit, the turnstile waits.
            if answer is None or answer.status != 429 or asked is None:
                self.turnstile.pause(_back_off(failures) if asked is None else asked)
            failures += 1

    def _limited_for(self, answer: Answer) -> float | None:
        """Seconds for which the key is over its limit, by an answer whose time is not too long to be waited for."""
        retry_after = retry_after_of(answer.headers) if answer.status == 429 else None
        return None if retry_after is None or retry_after > self.longest_wait_seconds else retry_after

    def _attempt(
        self, method: str, url: str, headers: Mapping[str, str], text: str | None, deadline_seconds: float
    ) -> Answer:
        self.turnstile.assert_open()
        self.connections.begin_attempt(deadline_seconds)
        try:
            response = self.pool.request(
                method,
                url,
                body=text,
                headers=headers,
                timeout=urllib3.Timeout(total=deadline_seconds),
                retries=False,
                # A redirect would lead to an address that was not asked for, and the API key with it.
                redirect=False,
                preload_content=False,
            )
            try:
                data = _body_of(response, self.answer_bytes_max)
            except BaseException:
                response.close()
                raise
            # A body whose end is that of the connection looks whole.
            self.turnstile.assert_open()
            response.release_conn()
            return Answer(response.status, response.headers, data, response.reason or "")
        except Exception as cause:
            # Whatever a connection says that was ended in the midst of it.
            self.turnstile.assert_open()
            if isinstance(cause, ValueError) and not isinstance(cause, HTTPError):
                raise invalid_argument(f"No request can be made of these arguments: {cause}") from cause
            if not isinstance(cause, HTTPError):
                raise
            if isinstance(cause, Urllib3TimeoutError) and not isinstance(cause, NewConnectionError):
                detail = f"There was no whole answer within {deadline_seconds} seconds."
                raise GatehouseError(0, "deadline_exceeded", detail) from cause
            raise GatehouseError(0, "no_answer", f"Gatehouse cannot be reached: {cause}") from cause


def _body_of(response: urllib3.BaseHTTPResponse, bytes_max: int) -> bytes:
    """
    :raises GatehouseError: "unexpected_answer", for a body above the bound, of which no more is read.
    """
    pieces, length = [], 0
    for piece in response.stream(_PIECE_BYTES, decode_content=True):
        length += len(piece)
        if length > bytes_max:
            detail, request_id = f"The answer is larger than {bytes_max} bytes.", response.headers.get("x-request-id")
            raise GatehouseError(response.status, "unexpected_answer", detail, request_id=request_id)
        pieces.append(piece)
    return b"".join(pieces)


def _seconds_of(timeout: float | tuple[float, float]) -> float:
    """
    :raises GatehouseError: "invalid_argument", for what is no time that can be waited for.
    """
    seconds = sum(timeout) if isinstance(timeout, tuple) else timeout
    # False for what is not a number (NaN), too.
    if not 0 < seconds <= SECONDS_MAX:
        raise invalid_argument(f"_request_timeout is more than 0, and at most {SECONDS_MAX}: {timeout}")
    return seconds


def _is_storable(headers: Mapping[str, str]) -> bool:
    """False for an answer that is to be kept nowhere (RFC 9111 §5.2.2.5), as those about webhooks."""
    return "no-store" not in headers.get("cache-control", "").lower()


def _is_json(data: bytes) -> bool:
    """A body that was cut on its way is not remembered: each 304 would confirm it again, until something changes."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _asks_to_wait(url: str) -> bool:
    """True for a read whose answer may come late because the server is asked to wait."""
    return parse_qs(urlsplit(url).query).get("wait", ["0"]) != ["0"]


def _confirmed(remembered: Mapping[str, str], confirmation: Mapping[str, str]) -> Mapping[str, str]:
    """The headers of a remembered answer with those of the 304 that confirms it (RFC 9111 §4.3.4)."""
    headers = urllib3.HTTPHeaderDict(remembered)
    newer = {name.lower() for name in confirmation} - _NOT_OF_REMEMBERED
    for name in newer:
        headers[name] = confirmation[name]
    return headers


def _back_off(failures: int) -> float:
    """Any time up to one that doubles with each failure."""
    # No number is as large as what doubles a thousand times; ten times is more than the longest pause.
    return random.uniform(0, min(_FIRST_PAUSE_SECONDS * 2 ** min(failures, 10), _PAUSE_SECONDS_MAX))
