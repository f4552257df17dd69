"""Gatehouse as a program sees it."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, cast
from urllib.parse import quote_plus, urlsplit

from pydantic import ValidationError

from gatehouse_sdk.api.gateway_api import GatewayApi
from gatehouse_sdk.api.sign_on_api import SignOnApi
from gatehouse_sdk.api_client import ApiClient
from gatehouse_sdk.api_response import ApiResponse
from gatehouse_sdk.configuration import Configuration
from gatehouse_sdk.errors import GatehouseError, Violation, invalid_argument
from gatehouse_sdk.exchange import SECONDS_MAX, Answer, Exchange
from gatehouse_sdk.models import (
    InstanceIntegration,
    OrganizationStructure,
    PlatformClient,
    PlatformUser,
    WorkerV2,
)
from gatehouse_sdk.pages import items_of
from gatehouse_sdk.remembered_answers import RememberedAnswers, RememberedLimits

_PAGE_SIZE = 200
_ID = re.compile(r"[A-Za-z0-9_-]+")
_KEY = re.compile(r"[\x21-\x7e]+")
#: The API key must not be sent to any other address.
_GATEWAY_PATH = re.compile(r"/v[0-9]+(/[A-Za-z0-9_-]+)+")


class Gatehouse:
    """
    Every call raises a ``GatehouseError``, and nothing else, when it does not succeed. One object serves a whole
    program, from any thread.

    :param base_url: Address of Gatehouse: ``https://…``.
    :param api_key: For the gateway.
    :param deadline_seconds: Time for one attempt, until the last byte of its answer.
    :param retries: Further attempts of a read after 429, 503 or no answer; 0 turns them off.
    :param longest_wait_seconds: The longest ``Retry-After`` that is waited for. A longer one is raised at once.
    :param answer_bytes_max: The most bytes of one answer's body. A larger one is raised as ``unexpected_answer``.
    :param entity_tags: Limits of the answers that are remembered with their entity tags; False turns it off.
    :param access_token: For ``sign_on.get_userinfo``.
    :param application: Id and secret for ``sign_on.exchange_token``, in place of those in the request.
    :param configuration: For certificates and proxies of your own. It is copied, and stays as it is.
    """

    #: The operations of the gateway, one by one: with pages, and with version 1 of workers.
    gateway: GatewayApi
    #: The operations of sign-on for programs. To sign people in, use an OpenID Connect library instead.
    sign_on: SignOnApi

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None = None,
        deadline_seconds: float = 40,
        retries: int = 2,
        longest_wait_seconds: float = 60,
        answer_bytes_max: int = 67_108_864,
        entity_tags: RememberedLimits | bool = True,
        access_token: str | None = None,
        application: tuple[str, str] | None = None,
        configuration: Configuration | None = None,
    ) -> None:
        if not _is_address(base_url):
            raise invalid_argument(f"base_url is not an address: {base_url}")
        if api_key is not None and not _KEY.fullmatch(api_key):
            raise invalid_argument("api_key is empty, or has characters that no API key has.")
        # Each comparison is false for what is not a number (NaN), too.
        if not 0 < deadline_seconds <= SECONDS_MAX:
            raise invalid_argument(f"deadline_seconds is more than 0, and at most {SECONDS_MAX}: {deadline_seconds}")
        if not isinstance(retries, int) or retries < 0:
            raise invalid_argument(f"retries is a whole number from 0: {retries}")
        if not 0 <= longest_wait_seconds <= SECONDS_MAX:
            raise invalid_argument(f"longest_wait_seconds is from 0 to {SECONDS_MAX}: {longest_wait_seconds}")
        if not isinstance(answer_bytes_max, int) or answer_bytes_max < 1:
            raise invalid_argument(f"answer_bytes_max is a whole number from 1: {answer_bytes_max}")
        self._base_url = base_url.rstrip("/")
        # A copy: another Gatehouse may be made of the same configuration.
        config = Configuration() if configuration is None else _copy_of(configuration)
        config.host = self._base_url
        if api_key is not None:
            config.api_key["apiKey"] = api_key
        if access_token is not None:
            config.access_token = access_token
        if application is not None:
            # Form-encoded before it is joined (RFC 6749 §2.3.1).
            config.username, config.password = (quote_plus(part) for part in application)
        limits = RememberedLimits() if entity_tags is True else entity_tags
        if limits is not False and min(limits.answers, limits.bytes) < 0:
            raise invalid_argument(f"The limits of entity_tags are numbers from 0: {limits}")
        client = _Client(config)
        client.user_agent = "gatehouse-sdk-python/0.0.0"
        self._exchange = Exchange(
            pool=client.rest_client.pool_manager,
            deadline_seconds=deadline_seconds,
            retries=retries,
            longest_wait_seconds=longest_wait_seconds,
            answer_bytes_max=answer_bytes_max,
            remembered=None if limits is False else RememberedAnswers(limits),
            is_gateway=lambda url: _leads_to_gateway(urlsplit(url[len(self._base_url) :]).path),
        )
        client.rest_client = cast(Any, self._exchange)
        self._api_key = api_key
        self.gateway = cast(GatewayApi, _OneError(GatewayApi(client)))
        self.sign_on = cast(SignOnApi, _OneError(SignOnApi(client)))

    def instance_integrations(self) -> list[InstanceIntegration]:
        """Every instance integration of the API key's integration, oldest first."""
        return self.gateway.list_instance_integrations()

    def clients(self, instance_integration_id: str) -> list[PlatformClient]:
        """Every client (tenant) of an instance integration, oldest first."""
        _assert_ids(instance_integration_id=instance_integration_id)
        return self.gateway.list_clients(instance_integration_id)

    def client(self, instance_integration_id: str, client_id: str) -> PlatformClient:
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id)
        return self.gateway.get_client(instance_integration_id, client_id)

    def workers(self, instance_integration_id: str, client_id: str) -> Iterator[WorkerV2]:
        """Every worker of a client with their units, oldest first; reads further pages as it is iterated."""
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id)

        def read_page(cursor: str | None) -> ApiResponse[list[WorkerV2]]:
            return self.gateway.list_workers_v2_with_http_info(
                instance_integration_id, client_id, limit=_PAGE_SIZE, cursor=cursor
            )

        return items_of(read_page)

    def worker(self, instance_integration_id: str, client_id: str, worker_id: str) -> WorkerV2:
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id, worker_id=worker_id)
        return self.gateway.get_worker_v2(instance_integration_id, client_id, worker_id)

    def users(self, instance_integration_id: str, client_id: str) -> Iterator[PlatformUser]:
        """Every dashboard user of a client, oldest first; reads further pages as it is iterated."""
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id)

        def read_page(cursor: str | None) -> ApiResponse[list[PlatformUser]]:
            return self.gateway.list_users_with_http_info(
                instance_integration_id, client_id, limit=_PAGE_SIZE, cursor=cursor
            )

        return items_of(read_page)

    def user(self, instance_integration_id: str, client_id: str, user_id: str) -> PlatformUser:
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id, user_id=user_id)
        return self.gateway.get_user(instance_integration_id, client_id, user_id)

    def job_titles(self, instance_integration_id: str, client_id: str) -> list[str]:
        """The job titles of a client's workers, each once, sorted."""
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id)
        return self.gateway.list_job_titles(instance_integration_id, client_id)

    def organization_structure(self, instance_integration_id: str, client_id: str) -> OrganizationStructure:
        """Unit types, units and locations of a client."""
        _assert_ids(instance_integration_id=instance_integration_id, client_id=client_id)
        return self.gateway.get_organization_structure(instance_integration_id, client_id)

    def follow(self, link: str) -> Any:
        """The current state of an event's entity: what is at its ``data.links.self``, as parsed JSON."""
        if not isinstance(link, str) or not _leads_to_gateway(link):
            raise invalid_argument(f"Not a path of the gateway: {link}")
        headers = {} if self._api_key is None else {"x-api-key": self._api_key}
        answer = self._exchange.request("GET", self._base_url + link, headers)
        try:
            return json.loads(answer.data)
        except (ValueError, RecursionError) as cause:
            raise _unreadable(answer) from cause

    def close(self) -> None:
        """
        Closes the connections that are kept for further calls. A call that is under way in another thread ends with the
        code ``cancelled``, as later ones do.
        """
        self._exchange.close()

    def __enter__(self) -> Gatehouse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _assert_ids(**ids: str) -> None:
    """Letters, digits, ``_`` and ``-``. Anything else would become another path."""
    for name, value in ids.items():
        if not isinstance(value, str) or value == "":
            raise invalid_argument(f"{name} is missing.")
        if not _ID.fullmatch(value):
            raise invalid_argument(f"{name} cannot be an id: {value}")


def _copy_of(configuration: Configuration) -> Configuration:
    """With keys of its own. What else the caller has put into it, hooks for example, is the same."""
    copied = copy.copy(configuration)
    copied.api_key = dict(configuration.api_key)
    copied.api_key_prefix = dict(configuration.api_key_prefix)
    return copied


def _is_address(text: object) -> bool:
    # Paths are put behind it, so it can have no query and no fragment.
    if not isinstance(text, str) or re.search(r"[?#\s]", text):
        return False
    try:
        address = urlsplit(text)
    except ValueError:
        return False
    return address.scheme in ("http", "https") and bool(address.hostname)


def _leads_to_gateway(path: str) -> bool:
    return _GATEWAY_PATH.fullmatch(path) is not None


def _unreadable(answer: Answer) -> GatehouseError:
    detail = "The answer of Gatehouse cannot be read: it is not the JSON that the contract describes."
    return GatehouseError(answer.status, "unexpected_answer", detail, request_id=answer.headers.get("x-request-id"))


class _Client(ApiClient):
    """The generated client, with the one error for answers that it cannot read."""

    def select_header_accept(self, accepts: list[str]) -> str | None:
        """Every media type of the contract: a problem is an answer too."""
        return ", ".join(accepts) or None

    def response_deserialize(self, response_data: Any, response_types_map: Any = None) -> ApiResponse[Any]:
        """
        :raises GatehouseError: "unexpected_answer", for an answer that the contract does not have.
        """
        try:
            declared = next(status for status in response_types_map if status.startswith("2"))
            # Gatehouse's answers are JSON, and JSON is UTF-8 (RFC 8259 §8.1), whatever a proxy says of them: of text the
            # generated code would make a list of its letters.
            as_json = replace(response_data, headers={"content-type": "application/json"})
            # Each operation has one success. Another status of success, of a proxy say, has its body (RFC 9110 §15).
            answer = super().response_deserialize(as_json, {str(as_json.status): response_types_map[declared]})
        except Exception as cause:
            raise _unreadable(response_data) from cause
        # The generated code makes a plain dict of them, in which capitals matter.
        answer.headers = response_data.headers
        return answer

    def deserialize(self, response_text: str, response_type: str, content_type: str | None) -> Any:
        """The generated code takes null for any type, and any JSON whose items can be counted for a list."""
        is_list = response_type.startswith("List[")
        if response_text.lstrip(" \t\r\n")[:1] != ("[" if is_list else "{"):
            raise ValueError(f"The body is no {response_type}.")
        value = super().deserialize(response_text, response_type, content_type)
        if is_list and None in value:
            raise ValueError(f"The body is no {response_type}: an item is null.")
        return value


class _OneError:
    """The same API, whose calls raise a ``GatehouseError`` for arguments that they do not take."""

    def __init__(self, api: object) -> None:
        self._api = api

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._api, name)
        if not callable(member):
            return member

        @functools.wraps(member)
        def call(*values: Any, **named: Any) -> Any:
            try:
                return member(*values, **named)
            except ValidationError as cause:
                violations = [
                    Violation("argument", ".".join(str(part) for part in error["loc"]), error["msg"])
                    for error in cause.errors()
                ]
                said = "; ".join(f"{violation.name}: {violation.message}" for violation in violations)
                raise invalid_argument(said, violations) from cause

        return call
