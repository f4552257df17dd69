"""Events that Gatehouse sends: verified, and typed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol, Union, cast

from gatehouse_sdk.errors import invalid_argument, reduced
from gatehouse_sdk.models import (
    ClientCreatedEvent,
    DeliveryExhaustedEvent,
    OrganizationLocationCreatedEvent,
    OrganizationLocationDeletedEvent,
    OrganizationUnitCreatedEvent,
    OrganizationUnitTypeCreatedEvent,
    RecoveryFinishedEvent,
    SecretExpiringEvent,
    SignedHeaders,
    SubscriptionDisabledEvent,
    SubscriptionEnabledEvent,
    SubscriptionFailingEvent,
    UserCreatedEvent,
    UserUpdatedEvent,
    WebhookPingEvent,
    WorkerOnboardedEvent,
    WorkerUpdatedEvent,
)

KnownEvent = Union[
    ClientCreatedEvent,
    UserCreatedEvent,
    UserUpdatedEvent,
    WorkerOnboardedEvent,
    WorkerUpdatedEvent,
    OrganizationUnitTypeCreatedEvent,
    OrganizationUnitCreatedEvent,
    OrganizationLocationCreatedEvent,
    OrganizationLocationDeletedEvent,
    SubscriptionFailingEvent,
    DeliveryExhaustedEvent,
    SubscriptionDisabledEvent,
    SubscriptionEnabledEvent,
    SecretExpiringEvent,
    RecoveryFinishedEvent,
    WebhookPingEvent,
]

_READERS: dict[str, type[Any]] = {
    "client.created": ClientCreatedEvent,
    "user.created": UserCreatedEvent,
    "user.updated": UserUpdatedEvent,
    "worker.onboarded": WorkerOnboardedEvent,
    "worker.updated": WorkerUpdatedEvent,
    "organization_unit_type.created": OrganizationUnitTypeCreatedEvent,
    "organization_unit.created": OrganizationUnitCreatedEvent,
    "organization_location.created": OrganizationLocationCreatedEvent,
    "organization_location.deleted": OrganizationLocationDeletedEvent,
    "subscription.failing": SubscriptionFailingEvent,
    "delivery.exhausted": DeliveryExhaustedEvent,
    "subscription.disabled": SubscriptionDisabledEvent,
    "subscription.enabled": SubscriptionEnabledEvent,
    "secret.expiring": SecretExpiringEvent,
    "recovery.finished": RecoveryFinishedEvent,
    "webhook.ping": WebhookPingEvent,
}


@dataclass(frozen=True)
class UnknownEvent:
    """A genuine event that is newer than this package: of another type, or of another version."""

    #: The id in ``webhook-id``, the same on every attempt.
    id: str
    type: str
    #: Everything as it was sent.
    body: Mapping[str, Any]


#: ``type`` says which, and so does the class.
Event = Union[KnownEvent, UnknownEvent]

Reason = Literal["missing_header", "bad_signature", "too_old", "too_new", "not_json"]


class EventRefused(Exception):
    """
    What was received is not a genuine event: answer with a status that is not 2xx, and believe nothing of it.
    """

    reason: Reason

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)


class EventHeaders(Protocol):
    """Headers of a request as web frameworks have them. Capitals do not matter."""

    def items(self) -> Any: ...


def verify_event(
    secrets: str | Sequence[str],
    headers: EventHeaders | SignedHeaders,
    raw_body: bytes | str,
    *,
    now: datetime | None = None,
    tolerance_seconds: float = 300,
) -> Event:
    """
    The event in a request that was received, once its signature and its time are verified (Standard Webhooks).

    :param secrets: ``whsec_…``; several while a secret is being replaced. A public key ``whpk_…`` of the subscription
        stands in place of a secret, or beside one: it verifies signatures ``v1a``, by the package ``cryptography``. One
        that fits is enough. White space around one, and padding that is missing, do not matter.
    :param headers: Those of the request, or ``headers`` of an event of the feed.
    :param raw_body: The bytes as they were received. A body that was parsed and written again has another signature.
    :param now: The present time unless given; with a time zone.
    :param tolerance_seconds: How far the time of the signature may be from now, either way.
    :raises EventRefused: when it is not genuine.
    :raises GatehouseError: with the code ``invalid_argument`` for no secret at all, for a secret or public key that is
        none, for a tolerance that is no number, and for a public key where ``cryptography`` is not installed.
    """
    if math.isnan(tolerance_seconds):
        raise invalid_argument("tolerance_seconds is no number: every time would be within it.")
    keys = _keys_of(secrets)
    body = _bytes_of(raw_body)
    named = headers.to_dict() if isinstance(headers, SignedHeaders) else headers
    event_id = _header(named, "webhook-id")
    timestamp = _header(named, "webhook-timestamp")
    signatures = _header(named, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise EventRefused("missing_header", "The header webhook-timestamp is not a number of seconds.")
    if not _is_signed_by_any(keys, signatures, _utf8(f"{event_id}.{timestamp}.") + body):
        raise EventRefused("bad_signature", "No signature fits the body and a key of yours.")
    age_seconds = int(time.time() if now is None else now.timestamp()) - int(timestamp)
    if age_seconds > tolerance_seconds:
        raise EventRefused("too_old", f"The event was signed {age_seconds} seconds ago.")
    if age_seconds < -tolerance_seconds:
        raise EventRefused("too_new", f"The event is signed for a time {-age_seconds} seconds from now.")
    return _event_of(event_id, _parsed(body))


_SECRET_PREFIX = "whsec_"
_PUBLIC_KEY_PREFIX = "whpk_"
_PUBLIC_KEY_BYTES = 32


@dataclass(frozen=True)
class _Key:
    """
    Verifies signatures of its own scheme alone. Its prefix says which: were it the header that says, a public key could
    be taken for a secret.
    """

    #: What its signatures begin with in the header.
    signature_prefix: str
    #: Given what is signed, tells whether a signature is the key's.
    verifier: Callable[[bytes], Callable[[bytes], bool]]


def _keys_of(secrets: str | Sequence[str]) -> Sequence[_Key]:
    given = [secrets] if isinstance(secrets, str) else secrets
    if not isinstance(given, Iterable):
        raise invalid_argument(f"A secret is text, or several are a list of it, not {type(given).__name__}.")
    keys = [_key_of(text) for text in given]
    if not keys:
        raise invalid_argument("There is no secret and no public key: the list is empty.")
    return keys


def _key_of(given: str) -> _Key:
    text = given.strip() if isinstance(given, str) else ""
    if text.startswith(_SECRET_PREFIX):
        secret = _from_base64(text.removeprefix(_SECRET_PREFIX))
        if secret:
            return _secret_key(secret)
    if text.startswith(_PUBLIC_KEY_PREFIX):
        public_key = _from_base64(text.removeprefix(_PUBLIC_KEY_PREFIX))
        if public_key is not None and len(public_key) == _PUBLIC_KEY_BYTES:
            return _public_key(public_key)
    raise invalid_argument(
        "A signing secret is whsec_ with base64 behind it, a public key whpk_ with base64 of 32 bytes."
    )


def _secret_key(secret: bytes) -> _Key:
    def verifier(signed: bytes) -> Callable[[bytes], bool]:
        expected = hmac.new(secret, signed, hashlib.sha256).digest()
        return lambda signature: hmac.compare_digest(signature, expected)

    return _Key("v1,", verifier)


def _public_key(public_key: bytes) -> _Key:
    # Python has no Ed25519 of its own, and who verifies by a secret needs no further package.
    try:
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as cause:
        raise invalid_argument("A public key needs the package cryptography: pip install cryptography") from cause
    try:
        key = Ed25519PublicKey.from_public_bytes(public_key)
    except UnsupportedAlgorithm as cause:
        raise invalid_argument("The OpenSSL of the package cryptography has no Ed25519.") from cause

    def verifier(signed: bytes) -> Callable[[bytes], bool]:
        def fits(signature: bytes) -> bool:
            try:
                key.verify(signature, signed)
            except InvalidSignature:
                return False
            return True

        return fits

    return _Key("v1a,", verifier)


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _utf8(text: str) -> bytes:
    """
    Of any text. Bytes that are not UTF-8 come from some web servers as lone surrogates: nothing genuine has such, so
    no signature fits them.
    """
    return text.encode(errors="surrogatepass")


def _bytes_of(raw_body: bytes | str) -> bytes:
    if isinstance(raw_body, str):
        return _utf8(raw_body)
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise invalid_argument("The raw body is bytes or text; a parsed body cannot be verified.")


def _header(headers: EventHeaders, name: str) -> str:
    value = next((value for key, value in headers.items() if key.lower() == name), None)
    if not value:
        raise EventRefused("missing_header", f"The header {name} is missing.")
    return str(value)


#: A subscription has six keys at most. Each signature by a key pair costs a look at the whole body, and anyone can send
#: thousands.
_SIGNATURES_MAX = 16


def _is_signed_by_any(keys: Sequence[_Key], header: str, signed: bytes) -> bool:
    """
    True when one of the first signatures in the header is that of one of the keys. The comparison takes constant time.
    """
    first = header.split(" ", _SIGNATURES_MAX)[:_SIGNATURES_MAX]
    for key in keys:
        fits = key.verifier(signed)
        of_scheme = [text for text in first if text.startswith(key.signature_prefix)]
        given = [_from_base64(text.removeprefix(key.signature_prefix)) for text in of_scheme]
        if any(signature is not None and fits(signature) for signature in given):
            return True
    return False


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError) as cause:
        raise EventRefused("not_json", "The body is not JSON.") from cause
    if not isinstance(value, dict):
        raise EventRefused("not_json", "The body is not a JSON object.")
    return value


def _event_of(event_id: str, body: dict[str, Any]) -> Event:
    event_type = str(body.get("type"))
    unknown = UnknownEvent(event_id, event_type, body)
    reader = _READERS.get(event_type)
    if reader is None or body.get("specVersion") != 1 or body.get("dataVersion") != 1:
        return unknown
    try:
        return cast(KnownEvent, reader.from_dict(body))
    except Exception:
        # The generated code looks into members before it validates them, and raises whatever Python says of their form.
        return unknown
