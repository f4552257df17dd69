"""Reads Gatehouse and verifies its events."""

from gatehouse_sdk.errors import GatehouseError, Violation
from gatehouse_sdk.gatehouse import Gatehouse
from gatehouse_sdk.models import *  # noqa: F403
from gatehouse_sdk.remembered_answers import RememberedLimits
from gatehouse_sdk.verify_event import Event, EventRefused, KnownEvent, UnknownEvent, verify_event

__version__ = "0.1.0"

__all__ = [
    "Event",
    "EventRefused",
    "Gatehouse",
    "GatehouseError",
    "KnownEvent",
    "RememberedLimits",
    "UnknownEvent",
    "Violation",
    "verify_event",
]
