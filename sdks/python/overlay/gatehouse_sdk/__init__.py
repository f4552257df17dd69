"""Reads Gatehouse and verifies its events."""

# "as": that is how a type checker sees that a name is meant for importers of this package.
from gatehouse_sdk.configuration import Configuration as Configuration
from gatehouse_sdk.errors import GatehouseError as GatehouseError
from gatehouse_sdk.errors import Violation as Violation
from gatehouse_sdk.gatehouse import Gatehouse as Gatehouse
from gatehouse_sdk.models import *  # noqa: F403
from gatehouse_sdk.remembered_answers import RememberedLimits as RememberedLimits
from gatehouse_sdk.verify_event import Event as Event
from gatehouse_sdk.verify_event import EventRefused as EventRefused
from gatehouse_sdk.verify_event import KnownEvent as KnownEvent
from gatehouse_sdk.verify_event import UnknownEvent as UnknownEvent
from gatehouse_sdk.verify_event import verify_event as verify_event

__version__ = "0.0.0"
