import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import vectorsFile from "#generated/contracts/webhooks.vectors.json" with { type: "json" };
import { type Command, type DoorCall, type Driver, startDriver } from "../conformance/sdk-driver.ts";
import { listening } from "../support/listening.ts";
import { type Closer, withScope } from "../support/scope.ts";

const API_KEY = "ghk_published";
const POLL = "/v1/webhooks/subscriptions/subscription_1/events";
const LIST = "/v1/instance-integrations";
const CLIENTS = "/v1/instance-integrations/installation_1/clients";
/** How long a server is asked to wait, and the shorter deadline that ends the call. */
const DEADLINE_MS = 3000;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** How long the request waits for it. */
  readonly afterMs?: number;
}
/** Undefined for no answer at all. */
type Answering = (request: Request) => Answer | undefined;

const TOO_MANY: Answer = {
  status: 429,
  headers: { "content-type": "application/problem+json", "retry-after": "2" },
  body: { title: "Too many", status: 429, detail: "Wait.", code: "too_many_requests" },
};
const EMPTY: Answer = { status: 200, headers: { "content-type": "application/json" }, body: [] };

/** A server that answers as it is told, and remembers what it was asked. */
async function startServer(closeLater: (closer: Closer) => void) {
  let answering: Answering = () => undefined;
  let seen: Request[] = [];
  const server = createServer(async (asked, reply) => {
    const [path = ""] = (asked.url ?? "").split("?");
    const request = { method: asked.method ?? "", path, body: await text(asked) };
    seen.push(request);
    const answer = answering(request);
    if (answer === undefined) return;
    await sleep(answer.afterMs ?? 0);
    reply
      .writeHead(answer.status, answer.headers)
      .end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  });
  const url = await listening(server, closeLater);
  return {
    url,
    begin(answers: Answering) {
      seen = [];
      answering = answers;
    },
    seen: (): readonly Request[] => seen,
  };
}

/** Gives each of these answers once, then the last for ever. */
const inOrder = (...answers: readonly (Answer | undefined)[]): (() => Answer | undefined) => {
  let at = 0;
  return () => answers[Math.min(at++, answers.length - 1)];
};

/** What the hand-written layer of the Java SDK does beside that which all languages share scenarios of. */
export function javaScenarios(command: () => Command): void {
  withScope((closeLater) => {
    let server: Awaited<ReturnType<typeof startServer>>;
    let driver: Driver;
    beforeAll(async () => {
      server = await startServer(closeLater);
      driver = startDriver(closeLater, command());
    });

    const ask = (door: string, further: Partial<DoorCall> = {}) =>
      driver.ask({ door, arguments: [], baseUrl: server.url, apiKey: API_KEY, options: {}, keep: null, ...further });
    const operation = (operationId: string, parameters: Readonly<Record<string, string>>, body: unknown) =>
      driver.ask({
        ...{ baseUrl: server.url, operationId, parameters, body },
        ...{ apiKey: API_KEY, basic: null, bearer: null, headers: {} },
      });

    describe("members that can be null", () => {
      const sent = async (changes: unknown) => {
        server.begin(() => ({ status: 200, headers: { "content-type": "application/json" }, body: {} }));
        await operation("updateSubscription", { subscriptionId: "subscription_1" }, changes);
        return server.seen().map(({ method, body }) => [method, JSON.parse(body)]);
      };

      it("sends null where it was set: a subscription becomes pull-only", async () => {
        const changes = { endpointUrl: null, description: "pull-only" };
        expect(await sent(changes)).toEqual([["PATCH", changes]]);
      });

      it("sends nothing of a member that was not set", async () => {
        expect(await sent({ description: "as before" })).toEqual([["PATCH", { description: "as before" }]]);
      });
    });

    describe("reads that wait together (R-X220)", () => {
      const inTurn = async (answering: Answering, ...calls: readonly string[]) => {
        const further = { options: { deadlineMs: DEADLINE_MS }, keep: calls.join() };
        // A first call takes its time on a busy machine; these are a moment apart.
        server.begin(() => EMPTY);
        await ask("instanceIntegrations", further);
        server.begin(answering);
        const { value } = await ask("together", { ...further, arguments: calls });
        return { ended: value, sent: server.seen().map(({ path }) => path) };
      };

      it("lets others go on while a read waits at the server that was over the limit before", async () => {
        const poll = inOrder(TOO_MANY, undefined);
        const answering: Answering = ({ path }) => (path === POLL ? poll() : EMPTY);
        const { ended, sent } = await inTurn(answering, "poll", "instanceIntegrations", "clients");
        expect(ended).toEqual(["instanceIntegrations ok", "clients ok", "poll deadline_exceeded"]);
        // On the way, the next one may overtake the one that has left its turn.
        expect([sent[0], sent.slice(1).toSorted()]).toEqual([POLL, [CLIENTS, LIST, POLL].toSorted()]);
      });

      it("keeps the place of a read that is over the limit again, in front of those that came later", async () => {
        const list = inOrder(TOO_MANY, TOO_MANY, EMPTY);
        // The turn is over before its call has returned; a server that is no quicker than a network lets it end first.
        const answering: Answering = ({ path }) => (path === LIST ? list() : { ...EMPTY, afterMs: 200 });
        expect(await inTurn(answering, "instanceIntegrations", "clients")).toEqual({
          ended: ["instanceIntegrations ok", "clients ok"],
          sent: [LIST, LIST, LIST, CLIENTS],
        });
      });
    });

    describe("arguments (R-X188)", () => {
      const refused = { error: { status: 0, code: "invalid_argument" } };

      it.each([
        ["the body", { subscriptionId: "subscription_1" }],
        ["the id", {}],
      ])("refuses a generated operation without %s, and sends nothing", async (_, parameters) => {
        server.begin(() => EMPTY);
        expect(await operation("updateSubscription", parameters, null)).toMatchObject(refused);
        expect(server.seen()).toEqual([]);
      });

      it.each<DoorCall["options"]>([
        { retries: -1 },
        { deadlineMs: 0 },
        { deadlineMs: -1 },
        { deadlineMs: Number.MAX_SAFE_INTEGER },
        { longestWaitMs: -1 },
        { longestWaitMs: Number.MAX_SAFE_INTEGER },
        { entityTags: { answers: -1 } },
        { entityTags: { bytes: -1 } },
      ])("refuses the options %j, and sends nothing", async (options) => {
        server.begin(() => EMPTY);
        expect(await ask("instanceIntegrations", { options })).toMatchObject(refused);
        expect(server.seen()).toEqual([]);
      });
    });

    describe("answers", () => {
      it("takes a media type in any spelling (RFC 9110 §8.3.1)", async () => {
        const headers = { "content-type": "Application/Problem+JSON; charset=utf-8" };
        const body = { title: "None", status: 404, detail: "There is none.", code: "client_not_found" };
        server.begin(() => ({ status: 404, headers, body }));
        expect(await ask("client", { arguments: ["installation_1", "client_1"] })).toMatchObject({
          error: { status: 404, code: "client_not_found", detail: "There is none." },
        });
      });

      it("prints what was refused in words (R-X188)", async () => {
        const headers = { "content-type": "application/problem+json" };
        const errors = [{ in: "query", name: "limit", detail: "must be <= 1000" }];
        const body = { title: "Invalid", status: 400, detail: "It is not valid.", code: "invalid_request", errors };
        server.begin(() => ({ status: 400, headers, body }));
        expect(await ask("instanceIntegrations")).toMatchObject({
          error: { violationsAsText: "[query limit: must be <= 1000]" },
        });
      });

      it("gives a remembered answer the headers of the 304 that confirms it (RFC 9111 §4.3.4)", async () => {
        const first = {
          ...{ etag: `"1"`, "content-type": "application/json", "content-length": "2" },
          ...{ "x-request-id": "req_1", "x-first": "kept" },
        };
        const confirmed: Answer = { status: 304, headers: { etag: '"1"', "x-request-id": "req_2", "x-second": "new" } };
        server.begin(inOrder({ status: 200, headers: first, body: [] }, confirmed));
        const headers = () => ask("headersOfInstanceIntegrations", { keep: "confirmed" });
        expect(await headers()).toMatchObject({ value: { "x-request-id": ["req_1"], "x-first": ["kept"] } });
        expect(await headers()).toMatchObject({
          value: {
            "content-type": ["application/json"],
            "content-length": ["2"],
            "x-request-id": ["req_2"],
            "x-first": ["kept"],
            "x-second": ["new"],
          },
        });
      });
    });

    describe("verify (R-X189)", () => {
      const { vectors } = vectorsFile;
      const [genuine] = vectors as [(typeof vectors)[number]];
      const verify = ({ secret, headers, body, verifiedAt }: typeof genuine, further: object = {}) =>
        driver.ask({ door: "verify", secrets: [secret], headers, body, now: verifiedAt, ...further });
      const accepted = { event: { type: genuine.eventType, known: true } };
      const bare = genuine.secret.replace(/=+$/, "");

      it.each(vectors)("decides of an event of the feed as published: $name", async (vector) => {
        const expected = await verify(vector);
        expect(Object.keys(expected)).toEqual([vector.verdict === "accept" ? "event" : "eventRefused"]);
        expect(await verify(vector, { isOfFeed: true })).toEqual(expected);
      });

      it("takes no event of the feed without its headers", async () => {
        expect(await verify(genuine, { isOfFeed: true, headers: {} })).toEqual({ eventRefused: "missing_header" });
      });

      it.each([bare, `${bare}\n`, `${genuine.secret}\n`, `\t ${genuine.secret} \r\n`])(
        "takes a secret with and without padding, and with white space around it: %j",
        async (secret) => {
          expect(await verify(genuine, { secrets: [secret] })).toEqual(accepted);
        },
      );

      it.each([[[]], [null], [[null]]])("says that the secret is missing: %j", async (secrets) => {
        expect(await verify(genuine, { secrets })).toMatchObject({ error: { status: 0, code: "invalid_argument" } });
      });
    });
  });
}
