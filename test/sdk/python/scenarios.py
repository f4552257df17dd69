"""What holds for the SDK in Python alone, beside the scenarios that all languages share.

Needs the file of the signed examples in the environment variable GATEHOUSE_VECTORS.
"""

import base64
import copy
import hashlib
import hmac
import json
import os
import pickle
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from gatehouse_sdk import (
    Configuration,
    EventRefused,
    Gatehouse,
    GatehouseError,
    RememberedLimits,
    SignedHeaders,
    SubscriptionRequest,
    UnknownEvent,
    Violation,
    models,
    verify_event,
)

KEY = "gk_any"
SECRET_BYTES = b"0123456789abcdef0123456789abcde"
SECRET = "whsec_" + base64.b64encode(SECRET_BYTES).decode()
JSON = "application/json"
PROBLEM = "application/problem+json"
FEED = {"data": [], "next": "cursor", "hasMore": False}


class Server:
    """Answers each request with what ``answer`` says: status, headers and body, or None when it has answered itself."""

    def __init__(self, answer):
        seen = self.seen = []
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with lock:
                    number = len(seen)
                    seen.append(SimpleNamespace(path=self.path, headers=self.headers, client=self.client_address))
                said = answer(self, number)
                if said is None:
                    self.close_connection = True
                    return
                status, headers, body = said
                self.send_response_only(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_):
                """A client that has gone away is what some scenarios are about."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def gatehouse(self, **options):
        return Gatehouse(base_url=self.url, api_key=KEY, **options)


def json_answer(body, headers=None, status=200):
    return status, {"Content-Type": JSON, **(headers or {})}, json.dumps(body).encode()


def limited(seconds):
    body = {"title": "Too many", "detail": "Later.", "code": "too_many_requests"}
    return json_answer(body, {"Content-Type": PROBLEM, "Retry-After": str(seconds)}, 429)


def error_of(call):
    """The ``GatehouseError`` of a call; fails when there is none, or another."""
    try:
        result = call()
    except GatehouseError as error:
        return error
    raise AssertionError(f"No error, but {result!r}")


def signed(body, secret=SECRET_BYTES):
    timestamp = str(int(time.time()))
    signature = hmac.new(secret, f"event_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return {
        "webhook-id": "event_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }


class Headers(unittest.TestCase):
    def test_the_link_to_the_next_page_is_found_in_capitals(self):
        pages = [json_answer([], {"LINK": '<http://any/?cursor=two>; rel="next"'}), json_answer([])]
        with Server(lambda _, number: pages[number]) as server:
            self.assertEqual(list(server.gatehouse().workers("a", "b")), [])
            self.assertEqual(len(server.seen), 2)
            self.assertIn("cursor=two", server.seen[1].path)

    def test_headers_of_an_answer_are_found_in_any_capitals(self):
        with Server(lambda *_: json_answer([], {"X-Request-Id": "req_1"})) as server:
            headers = server.gatehouse().gateway.list_instance_integrations_with_http_info().headers
            self.assertEqual([headers["x-request-id"], headers["X-REQUEST-ID"]], ["req_1", "req_1"])

    def test_a_304_brings_its_headers_to_the_remembered_ones(self):
        def answer(_, number):
            if number == 0:
                return json_answer(["Cook"], {"ETag": '"1"', "X-Request-Id": "req_1", "X-Kept": "kept"})
            return 304, {"etag": '"1"', "x-request-id": "req_2", "Content-Type": "text/plain"}, b""

        with Server(answer) as server:
            gateway = server.gatehouse().gateway
            gateway.list_job_titles("a", "b")
            again = gateway.list_job_titles_with_http_info("a", "b")
            self.assertEqual((again.status_code, again.data), (200, ["Cook"]))
            self.assertEqual(
                {name: again.headers.get(name) for name in ("x-request-id", "x-kept", "content-type")},
                {"x-request-id": "req_2", "x-kept": "kept", "content-type": JSON},
            )

    def test_a_request_accepts_problems_too(self):
        with Server(lambda *_: json_answer([])) as server:
            server.gatehouse().instance_integrations()
            self.assertEqual(server.seen[0].headers["accept"], f"{JSON}, {PROBLEM}")


class SharedConfiguration(unittest.TestCase):
    def test_each_object_keeps_its_address_and_key(self):
        configuration = Configuration()
        before = copy.deepcopy(vars(configuration)["api_key"]), configuration.host
        with Server(lambda *_: json_answer([])) as first, Server(lambda *_: json_answer([])) as second:
            one = Gatehouse(base_url=first.url, api_key="gk_one", configuration=configuration)
            two = Gatehouse(base_url=second.url, api_key="gk_two", configuration=configuration)
            one.instance_integrations()
            two.instance_integrations()
            self.assertEqual([seen.headers["x-api-key"] for seen in first.seen], ["gk_one"])
            self.assertEqual([seen.headers["x-api-key"] for seen in second.seen], ["gk_two"])
        self.assertEqual((configuration.api_key, configuration.host), before)


class UnexpectedAnswers(unittest.TestCase):
    def test_what_is_no_list_is_none(self):
        for status, body in ((200, b"{}"), (200, b""), (200, b"null"), (200, b"[null]"), (200, b'"text"'), (204, b"")):
            with self.subTest(status=status, body=body):
                answer = (status, {"Content-Type": JSON, "X-Request-Id": "req_1"}, body)
                with Server(lambda *_: answer) as server:
                    error = error_of(server.gatehouse().instance_integrations)
                self.assertEqual((error.status, error.code, error.request_id), (status, "unexpected_answer", "req_1"))

    def test_what_is_no_object_is_none(self):
        for status, body in ((200, b"[]"), (200, b""), (200, b"null"), (204, b""), (200, b"[" * 100_000)):
            with self.subTest(status=status, body=body[:10]):
                with Server(lambda *_: (status, {"Content-Type": JSON}, body)) as server:
                    error = error_of(lambda: server.gatehouse().client("a", "b"))
                self.assertEqual((error.status, error.code), (status, "unexpected_answer"))

    def test_what_is_followed_and_unreadable_has_its_request_id(self):
        with Server(lambda *_: (200, {"X-Request-Id": "req_1"}, b"<h1>")) as server:
            error = error_of(lambda: server.gatehouse().follow("/v1/any"))
        self.assertEqual((error.code, error.request_id), ("unexpected_answer", "req_1"))


class OtherAnswers(unittest.TestCase):
    def test_an_answer_before_the_final_one_is_skipped_and_no_call_gets_that_of_another(self):
        """RFC 9110 §15.2"""

        def answer(request, number):
            request.wfile.write(b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n")
            request.wfile.flush()
            time.sleep(0.3)
            return json_answer([f"answer {number}"])

        with Server(answer) as server:
            gatehouse = server.gatehouse()
            answers = [gatehouse.job_titles("a", name) for name in ("b", "c")]
        self.assertEqual(answers, [["answer 0"], ["answer 1"]])

    def test_json_is_read_as_json_whatever_a_proxy_calls_it(self):
        """RFC 8259 §8.1"""
        body = json.dumps(["Köchin"], ensure_ascii=False).encode()
        for media_type in ("text/html", "text/plain; charset=iso-8859-1", f"{JSON}; charset=foo", "any/thing"):
            with self.subTest(media_type), Server(lambda *_: (200, {"Content-Type": media_type}, body)) as server:
                self.assertEqual(server.gatehouse().job_titles("a", "b"), ["Köchin"])


class Problems(unittest.TestCase):
    def problem(self, media_type=PROBLEM, **members):
        body = {"title": "Not found", "detail": "There is none.", "code": "client_not_found", **members}
        with Server(lambda *_: json_answer(body, {"Content-Type": media_type}, 404)) as server:
            return error_of(lambda: server.gatehouse().client("a", "b"))

    def test_the_media_type_may_have_capitals(self):
        for media_type in ("Application/Problem+JSON", "APPLICATION/PROBLEM+JSON; charset=utf-8"):
            with self.subTest(media_type):
                self.assertEqual(self.problem(media_type).code, "client_not_found")

    def test_refused_parts_of_another_form_are_left_out(self):
        genuine = {"in": "path", "name": "clientId", "detail": "No."}
        for errors, expected in (
            ({"clientId": ["No."]}, ()),
            (["No."], ()),
            (5, ()),
            ([genuine, "No.", None], (Violation("path", "clientId", "No."),)),
            ([{"in": 5}], (Violation("", "", ""),)),
        ):
            with self.subTest(errors=errors):
                error = self.problem(errors=errors)
                self.assertEqual((error.code, error.violations), ("client_not_found", expected))

    def test_a_problem_without_a_detail_says_its_title(self):
        self.assertEqual(self.problem(detail=None).detail, "Not found")


class Copies(unittest.TestCase):
    def copies(self, error):
        protocols = range(pickle.HIGHEST_PROTOCOL + 1)
        return [copy.copy(error), copy.deepcopy(error), *(pickle.loads(pickle.dumps(error, to)) for to in protocols)]

    def test_the_error_is_the_same_in_another_process(self):
        parts = (Violation("path", "clientId", "No."),)
        error = GatehouseError(400, "invalid_request", "No.", title="Bad", request_id="req_1", violations=parts)
        for copied in self.copies(error):
            self.assertIs(type(copied), GatehouseError)
            self.assertEqual((str(copied), vars(copied)), (str(error), vars(error)))

    def test_so_is_a_refusal(self):
        for copied in self.copies(EventRefused("too_old", "It is old.")):
            self.assertIs(type(copied), EventRefused)
            self.assertEqual((str(copied), copied.reason), ("It is old.", "too_old"))


class Options(unittest.TestCase):
    def test_values_that_cannot_be_are_refused_at_once(self):
        nan, infinite = float("nan"), float("inf")
        for options in (
            *({"deadline_seconds": value} for value in (0, -1, nan, infinite)),
            *({"retries": value} for value in (-1, nan, infinite, 1.5)),
            *({"longest_wait_seconds": value} for value in (-1, nan, infinite)),
            {"entity_tags": RememberedLimits(answers=-1)},
            {"base_url": "http://[::1"},
        ):
            with self.subTest(options=options):
                error = error_of(lambda: Gatehouse(**{"base_url": "http://127.0.0.1:9", "api_key": KEY, **options}))
                self.assertEqual((error.status, error.code), (0, "invalid_argument"))


class Waits(unittest.TestCase):
    def test_more_failures_than_a_number_can_double_are_waited_for_like_those_before(self):
        failures = 1_030

        def answer(_, number):
            return (503, {}, b"") if number < failures else json_answer([])

        with Server(answer) as server, mock.patch("random.uniform", lambda least, _: least):
            self.assertEqual(server.gatehouse(retries=2_000).instance_integrations(), [])
            self.assertEqual(len(server.seen), failures + 1)


class Limits(unittest.TestCase):
    """R-X220"""

    def test_reads_that_wait_go_in_the_order_in_which_they_came(self):
        # The first meets the limit again: it goes before those that came after it.
        def answer(_, number):
            return limited(2) if number < 3 else json_answer([])

        with Server(answer) as server, ThreadPoolExecutor(8) as threads:
            gatehouse = server.gatehouse(retries=3)
            reads = []
            for number in range(8):
                reads.append(threads.submit(gatehouse.clients, f"integration_{number}"))
                # The first has its answer by then, also on a busy machine.
                time.sleep(0.8 if number == 0 else 0.05)
            for read in reads:
                self.assertEqual(read.result(), [])
            order = [int(seen.path.split("integration_")[1].split("/")[0]) for seen in server.seen]
        self.assertEqual(order, [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7])

    def test_a_read_that_the_server_lets_wait_does_not_hold_up_others(self):
        answered_at = {}

        def answer(request, number):
            if number == 0:
                return limited(1)
            if "wait=" in request.path:
                time.sleep(6)
                return json_answer(FEED)
            return json_answer([])

        with Server(answer) as server, ThreadPoolExecutor(4) as threads:
            gatehouse = server.gatehouse()

            def read(name, call):
                call()
                answered_at[name] = time.monotonic()

            # The feed meets the limit, and is the first that waits; others come behind it.
            feed = threads.submit(read, "feed", lambda: gatehouse.gateway.read_events("subscription_1", wait=6))
            time.sleep(0.2)
            lists = [threads.submit(read, name, gatehouse.instance_integrations) for name in ("one", "two", "three")]
            for one in (feed, *lists):
                one.result()
        for name in ("one", "two", "three"):
            self.assertLess(answered_at[name], answered_at["feed"] - 3)


class Deadline(unittest.TestCase):
    DEADLINE_SECONDS = 0.5

    def dripping(self, before, drop):
        def answer(request, _):
            request.wfile.write(before)
            for _ in range(100):
                request.wfile.write(drop)
                request.wfile.flush()
                time.sleep(0.1)

        return answer

    def test_it_ends_an_answer_that_comes_in_drops(self):
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
        for part, before, drop in (
            ("the status", b"HTTP/1.1 200 ", b"O"),
            ("a header", head + b"x-any: ", b"x"),
            ("headers", head, b"x-any: x\r\n"),
            ("a body with a length", head + b"content-length: 1000\r\n\r\n[", b" "),
            ("a body in chunks", head + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
            ("a chunk", head + b"transfer-encoding: chunked\r\n\r\n3e8\r\n[", b" "),
            ("a body until the end", head + b"connection: close\r\n\r\n[", b" "),
        ):
            with self.subTest(part):
                with Server(self.dripping(before, drop)) as server:
                    gatehouse = server.gatehouse(deadline_seconds=self.DEADLINE_SECONDS)
                    began_at = time.monotonic()
                    error = error_of(gatehouse.instance_integrations)
                    took = time.monotonic() - began_at
                    self.assertEqual((error.code, len(server.seen)), ("deadline_exceeded", 1))
                    self.assertLess(took, self.DEADLINE_SECONDS + 1)

    def test_a_call_may_have_one_of_its_own(self):
        def answer(*_):
            time.sleep(0.6)
            return json_answer([])

        with Server(answer) as server:
            gateway = server.gatehouse().gateway
            for timeout in (0.2, (0.1, 0.1)):
                with self.subTest(timeout=timeout):
                    error = error_of(lambda: gateway.list_instance_integrations(_request_timeout=timeout))
                    self.assertEqual(error.code, "deadline_exceeded")
            self.assertEqual(gateway.list_instance_integrations(_request_timeout=5), [])

    def test_it_begins_anew_with_each_call_on_a_connection(self):
        def answer(*_):
            time.sleep(0.3)
            return json_answer([])

        with Server(answer) as server:
            gatehouse = server.gatehouse(deadline_seconds=self.DEADLINE_SECONDS, entity_tags=False)
            self.assertEqual([gatehouse.instance_integrations() for _ in range(3)], [[], [], []])
            self.assertEqual(len({seen.client for seen in server.seen}), 1)


class Events(unittest.TestCase):
    """R-X189"""

    BODY = json.dumps({"type": "worker.promoted", "specVersion": 1, "dataVersion": 1})

    def test_headers_of_an_event_of_the_feed_are_taken_as_they_are(self):
        vectors = json.loads(Path(os.environ["GATEHOUSE_VECTORS"]).read_text())["vectors"]
        genuine = next(vector for vector in vectors if vector["verdict"] == "accept")
        now = datetime.fromtimestamp(genuine["verifiedAt"], timezone.utc)
        headers = SignedHeaders.from_dict({"content-type": JSON, **genuine["headers"]})
        event = verify_event(genuine["secret"], headers, genuine["body"], now=now)
        self.assertEqual(event.type, genuine["eventType"])
        with self.assertRaises(EventRefused) as refused:
            verify_event(genuine["secret"], headers, genuine["body"] + " ", now=now)
        self.assertEqual(refused.exception.reason, "bad_signature")

    def test_an_event_that_cannot_be_read_as_its_type_is_given_untyped(self):
        for data in ({"organizationUnits": 5}, {"organizationUnits": "x"}, {"jobTitles": 5}, [], 5):
            with self.subTest(data=data):
                body = json.dumps({"type": "worker.updated", "specVersion": 1, "dataVersion": 1, "data": data})
                event = verify_event(SECRET, signed(body), body)
                self.assertIsInstance(event, UnknownEvent)
                self.assertEqual((event.type, event.body["data"]), ("worker.updated", data))

    def test_a_body_that_is_nested_too_deep_is_no_json(self):
        body = "[" * 100_000
        with self.assertRaises(EventRefused) as refused:
            verify_event(SECRET, signed(body), body)
        self.assertEqual(refused.exception.reason, "not_json")

    def test_what_no_text_can_have_is_not_signed(self):
        # As aiohttp and others decode bytes that are not UTF-8.
        strange = b"event_\x80".decode(errors="surrogateescape")
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            with self.subTest(name=name), self.assertRaises(EventRefused) as refused:
                verify_event(SECRET, {**signed(self.BODY), name: strange}, self.BODY)
            self.assertEqual(refused.exception.reason, "missing_header" if "time" in name else "bad_signature")
        with self.assertRaises(EventRefused) as refused:
            verify_event(SECRET, signed(self.BODY), self.BODY + strange)
        self.assertEqual(refused.exception.reason, "bad_signature")

    def test_a_secret_may_lack_its_padding_and_have_white_space_around_it(self):
        self.assertTrue(SECRET.endswith("="))
        for secret in (SECRET, SECRET.rstrip("="), f" {SECRET}", f"{SECRET}\r\n", f"\t{SECRET.rstrip('=')}\n"):
            with self.subTest(secret=secret):
                self.assertEqual(verify_event(secret, signed(self.BODY), self.BODY).type, "worker.promoted")
                self.assertEqual(verify_event([secret], signed(self.BODY), self.BODY).type, "worker.promoted")

    def test_a_tolerance_that_is_no_number_is_refused(self):
        error = error_of(
            lambda: verify_event(SECRET, signed(self.BODY), self.BODY, tolerance_seconds=float("nan"))
        )
        self.assertEqual((error.status, error.code), (0, "invalid_argument"))

    def test_no_secret_is_an_argument_that_is_refused(self):
        for secrets in ([], (), None, [None], 5, "", " ", [SECRET, None], b"whsec_"):
            with self.subTest(secrets=secrets):
                error = error_of(lambda: verify_event(secrets, signed(self.BODY), self.BODY))
                self.assertEqual((error.status, error.code), (0, "invalid_argument"))


class Models(unittest.TestCase):
    def test_type_checkers_know_parameters_by_the_names_of_python(self):
        # An "alias" would be the only name that they know (PEP 681); at run time both names are taken.
        classes = [value for value in vars(models).values() if hasattr(value, "model_fields")]
        aliased = [(one.__name__, name) for one in classes for name, field in one.model_fields.items() if field.alias]
        self.assertIn(SubscriptionRequest, classes)
        self.assertEqual(aliased, [])

    def test_a_request_body_is_made_by_the_names_of_python_and_sent_by_those_of_the_contract(self):
        request = SubscriptionRequest(instance_integration_id="a", event_types=["user.*"])
        sent = {"instanceIntegrationId": "a", "eventTypes": ["user.*"]}
        self.assertEqual(request.to_dict(), sent)
        self.assertEqual(SubscriptionRequest.from_dict(sent), request)
        self.assertEqual(SubscriptionRequest(**sent), request)


if __name__ == "__main__":
    unittest.main()
