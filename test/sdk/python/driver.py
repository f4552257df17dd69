"""Calls the SDK for a harness: a call as a line of JSON, and what its caller gets as a line of JSON.

The lines are described in test/conformance/sdk-driver.ts.
"""

import json
import re
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

from gatehouse_sdk import (
    EventRefused,
    Gatehouse,
    GatehouseError,
    RememberedLimits,
    TokenRequest,
    UnknownEvent,
    models,
    verify_event,
)


# The classes of bodies, by operation.
MODELS = {
    "createSubscription": models.SubscriptionRequest,
    "updateSubscription": models.SubscriptionChanges,
    "rotateSigningSecret": models.SecretRotation,
    "sendTestEvent": models.TestEventRequest,
    "signTestMessages": models.TestMessagesRequest,
    "startRecovery": models.RecoveryRequest,
    "startRecoveries": models.RecoveriesRequest,
}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def in_wire(value):
    if isinstance(value, (list, Iterator)):
        return [in_wire(item) for item in value]
    return json.loads(value.to_json()) if hasattr(value, "to_json") else value


def error_members(error: GatehouseError) -> dict:
    return {
        "status": error.status,
        "code": error.code,
        "title": error.title,
        "detail": error.detail,
        "requestId": error.request_id,
        "retryAfter": error.retry_after,
        "violations": [vars(violation) for violation in error.violations],
        "error": error.error,
        "errorDescription": error.error_description,
    }


def operation(call: dict) -> dict:
    basic = call["basic"]
    gatehouse = Gatehouse(
        base_url=call["baseUrl"],
        api_key=call["apiKey"],
        access_token=call["bearer"],
        application=None if basic is None else (basic["username"], basic["password"]),
        retries=call.get("retries", 0),
        entity_tags=False,
    )
    name = f"{snake(call['operationId'])}_with_http_info"
    owner = next((api for api in (gatehouse.gateway, gatehouse.sign_on) if hasattr(api, name)), None)
    if owner is None:
        return {"unsupported": f"There is no {call['operationId']}."}
    given = {snake(name): int(value) if name in ("limit", "secretNumber") else value for name, value in call["parameters"].items()}
    if "if-none-match" in call["headers"]:
        given["if_none_match"] = call["headers"]["if-none-match"]
    if call["body"] is not None:
        model = MODELS.get(call["operationId"], TokenRequest)
        given[snake(model.__name__)] = model.from_dict(call["body"])
    response = getattr(owner, name)(**given)
    return {"status": response.status_code, "body": in_wire(response.data)}


kept: dict[str, Gatehouse] = {}


def door(call: dict) -> dict:
    options = call["options"]
    names = {"deadlineMs": "deadline_seconds", "longestWaitMs": "longest_wait_seconds"}
    given = {names[name]: value / 1000 for name, value in options.items() if name in names}
    given |= {snake(name): value for name, value in options.items() if name not in names}
    if isinstance(given.get("entity_tags"), dict):
        given["entity_tags"] = RememberedLimits(**given["entity_tags"])
    gatehouse = kept.get(call["keep"]) or Gatehouse(base_url=call["baseUrl"], api_key=call["apiKey"], **given)
    if call["keep"] is not None:
        kept[call["keep"]] = gatehouse

    if call["door"] == "workersUntilError":
        return {"value": until_error(gatehouse.workers(*call["arguments"]))}

    def one(_: int = 0):
        return in_wire(getattr(gatehouse, snake(call["door"]))(*call["arguments"]))

    if "cancelAfterMs" in call:
        threading.Timer(call["cancelAfterMs"] / 1000, gatehouse.close).start()
    if "times" in call:
        with ThreadPoolExecutor(call["times"]) as threads:
            return {"value": list(threads.map(one, range(call["times"])))}
    return {"value": one()}


def until_error(workers: Iterator) -> dict:
    ids = []
    try:
        for worker in workers:
            ids.append(worker.id)
    except GatehouseError as error:
        return {"ids": ids, "code": error.code}
    return {"ids": ids, "code": None}


def verify(call: dict) -> dict:
    further = {"tolerance_seconds": call["toleranceSeconds"]} if "toleranceSeconds" in call else {}
    now = datetime.fromtimestamp(call["now"], timezone.utc)
    try:
        event = verify_event(call["secrets"], call["headers"], call["body"], now=now, **further)
    except EventRefused as refused:
        return {"eventRefused": refused.reason}
    return {"event": {"type": event.type, "known": not isinstance(event, UnknownEvent)}}


for line in sys.stdin:
    asked = json.loads(line)
    answer_by = {None: operation, "verify": verify}.get(asked.get("door"), door)
    try:
        answer = answer_by(asked)
    except GatehouseError as error:
        answer = {"error": error_members(error)}
    except Exception:
        answer = {"crash": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
