"""The one error of this package."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any


@dataclass(frozen=True)
class Violation:
    """One part of a request that was refused."""

    #: ``path``, ``query``, ``header`` or ``body``; ``argument`` for one that was refused before anything was sent.
    location: str
    #: Name of the parameter, or JSON pointer into the body.
    name: str
    message: str


class GatehouseError(Exception):
    """Every call that does not succeed raises it. Only ``verify_event`` has another, ``EventRefused``."""

    #: The HTTP status; 0 when there is no answer.
    status: int
    #: A stable word for programs: ``client_not_found``, ``too_many_requests``, ``no_answer``, …
    code: str
    #: A sentence about this occurrence.
    detail: str
    #: The kind of error, the same for every occurrence.
    title: str | None
    #: Give it to the operator: it identifies the request in Gatehouse's logs.
    request_id: str | None
    #: Seconds to wait before the next attempt, when the answer named a time.
    retry_after: float | None
    #: On 400 of the gateway: each part of the request that was refused.
    violations: Sequence[Violation]
    #: The error code of an OAuth endpoint (RFC 6749 §5.2); the same as ``code``.
    error: str | None
    #: The sentence of an OAuth endpoint; the same as ``detail``.
    error_description: str | None

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        title: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        violations: Sequence[Violation] = (),
        error: str | None = None,
        error_description: str | None = None,
    ) -> None:
        said = f"{code}: {detail}" if status == 0 else f"{status} {code}: {detail}"
        super().__init__(said if request_id is None else f"{said} (request {request_id})")
        self.status = status
        self.code = code
        self.detail = detail
        self.title = title
        self.request_id = request_id
        self.retry_after = retry_after
        self.violations = violations
        self.error = error
        self.error_description = error_description

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)


def reduced(error: Exception) -> tuple[Any, ...]:
    """
    What ``pickle`` and ``copy`` make the same error of, in another process too. Without it they would call the class
    with the message alone.
    """
    return _without_init, (type(error), error.args), error.__dict__


def _without_init(kind: type[Exception], values: tuple[Any, ...]) -> Exception:
    return kind.__new__(kind, *values)


def invalid_argument(detail: str, violations: Sequence[Violation] = ()) -> GatehouseError:
    """The error of a call that was refused before anything was sent."""
    return GatehouseError(0, "invalid_argument", detail, violations=violations)


def error_of(status: int, headers: Mapping[str, str], data: bytes) -> GatehouseError:
    """The error that an answer other than success states; ``unexpected_answer`` when the contract has no such answer."""
    known: dict[str, Any] = {"request_id": headers.get("x-request-id"), "retry_after": retry_after_of(headers)}
    if status == 304:
        return GatehouseError(304, "not_modified", "Nothing has changed since your copy.", **known)
    media_type = (headers.get("content-type") or "").split(";")[0].strip().lower()
    body = _object_in(data)
    if media_type == "application/problem+json" and isinstance(body.get("code"), str):
        title = _text_in(body, "title")
        detail = _text_in(body, "detail") or title or ""
        violations = _violations_in(body.get("errors"))
        return GatehouseError(status, body["code"], detail, title=title, violations=violations, **known)
    if media_type == "application/json" and isinstance(body.get("error"), str):
        error, description = body["error"], _text_in(body, "error_description") or ""
        return GatehouseError(status, error, description, error=error, error_description=description, **known)
    detail = f"The answer is none of Gatehouse's: status {status}, {media_type or 'no media type'}."
    return GatehouseError(status, "unexpected_answer", detail, **known)


def _object_in(data: bytes) -> dict[str, Any]:
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _text_in(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) else None


def _violations_in(parts: object) -> tuple[Violation, ...]:
    """Parts of another form than the contract's are left out: the error itself matters more."""
    listed = parts if isinstance(parts, list) else []
    return tuple(
        Violation(*(_text_in(part, name) or "" for name in ("in", "name", "detail")))
        for part in listed
        if isinstance(part, dict)
    )


_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_WHOLE_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME = "(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_YEAR = "(?P<year>[1-9][0-9]{3})"
#: The three forms of a date (RFC 9110 §5.6.7), read by its parts: what a platform takes for a date differs.
_HTTP_DATES = (
    re.compile(f"{_DAY}, (?P<day>[0-9]{{2}}) {_MONTH} {_YEAR} {_TIME} GMT"),
    re.compile(f"{_WHOLE_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"),
    re.compile(f"{_DAY} {_MONTH} (?P<day>[ 0-9][0-9]) {_TIME} {_YEAR}"),
)
#: A longer time is taken for this one (RFC 9111 §1.2.2).
_RETRY_AFTER_MAX = 2.0**31


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds until the time in ``Retry-After``, a number of seconds or a date (RFC 9110 §10.2.3); 2^31 at most."""
    value = (headers.get("retry-after") or "").strip()
    if re.fullmatch(r"[0-9]+", value):
        return min(float(value), _RETRY_AFTER_MAX)
    for form in _HTTP_DATES:
        if parts := form.fullmatch(value):
            at = _instant_of(parts)
            return None if at is None else min(max(0.0, at.timestamp() - time.time()), _RETRY_AFTER_MAX)
    return None


def _instant_of(parts: re.Match[str]) -> datetime | None:
    """None for a date that no calendar has."""
    year, day, hour, minute, second = (int(parts[name]) for name in ("year", "day", "hour", "minute", "second"))
    if len(parts["year"]) == 2:
        # The year that is at most fifty years ahead.
        earliest = datetime.now(timezone.utc).year - 49
        year = earliest + (year - earliest) % 100
    try:
        return datetime(year, _MONTHS.index(parts["month"]) + 1, day, hour, minute, second, tzinfo=timezone.utc)
    except ValueError:
        return None
