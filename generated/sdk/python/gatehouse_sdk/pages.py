"""Every item of a list, page by page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

from gatehouse_sdk.api_response import ApiResponse
from gatehouse_sdk.errors import GatehouseError

Item = TypeVar("Item")

_TARGET = re.compile(r"[\s,]*<([^>]*)>\s*")
_PARAMETER = re.compile(r';\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*')


def items_of(read_page: Callable[[str | None], ApiResponse[list[Item]]]) -> Iterator[Item]:
    """Reads each page when its first item is asked for."""
    cursor: str | None = None
    seen: str | None = None
    pages, next_noted = 0, 1
    while True:
        page = read_page(cursor)
        yield from page.data
        try:
            following = next_cursor((page.headers or {}).get("link"))
            if following is not None and following == seen:
                raise ValueError("The pages go round in a circle.")
        except ValueError as wrong:
            request_id = (page.headers or {}).get("x-request-id")
            raise GatehouseError(page.status_code, "unexpected_answer", str(wrong), request_id=request_id) from None
        if following is None:
            return
        pages += 1
        # One of them is enough to find a circle of any length: noted again after 1, 2, 4, … pages.
        if pages == next_noted:
            seen, next_noted = following, next_noted * 2
        cursor = following


def next_cursor(link: str | None) -> str | None:
    """
    The ``cursor`` in the link to the next page (RFC 8288 §3); None on the last page. Only the cursor is used: the next
    request goes to the same address as this one, and so does the API key.

    :raises ValueError: There is a link to the next page and no cursor in it: the list would end early.
    """
    text = link or ""
    at = 0
    while target := _TARGET.match(text, at):
        at = target.end()
        relations: str | None = None
        while parameter := _PARAMETER.match(text, at):
            at = parameter.end()
            name, quoted, plain = parameter.groups()
            # Of several ``rel`` the first counts (RFC 8288 §3.3).
            if name.lower() == "rel" and relations is None:
                relations = quoted if quoted is not None else plain or ""
        if relations is not None and "next" in relations.lower().split():
            return _cursor_of(target[1])
    return None


def _cursor_of(target: str) -> str:
    try:
        cursors = parse_qs(urlsplit(target).query).get("cursor", [])
    except ValueError:
        cursors = []
    if not cursors:
        raise ValueError("The link to the next page has no cursor.")
    return cursors[0]
