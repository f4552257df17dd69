import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { SENT_TYPES } from "#generated/event-types.ts";
import { type Recorder, startRecorder } from "../conformance/recorder.ts";
import { type Command, type DoorCall, type Driver, startDriver } from "../conformance/sdk-driver.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, newTenant, onboarding, type World } from "../support/world.ts";

/** Two pages and one worker. */
const WORKERS = 401;
/** Requests of one program at once, and how many of them its key may send at once and in each second. */
const AT_ONCE = 15;
const LIMIT = 5;
const START_MS = 120_000;
const SECRET = "whsec_Z2F0ZWhvdXNlIHB1Ymxpc2hlZCB0ZXN0IHZlY3RvciE=";

interface Vector {
  readonly name: string;
  readonly eventType: string;
  readonly secret: string;
  readonly verifiedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verdict: "accept" | "refuse";
}
const { vectors } = JSON.parse(readFileSync(join("generated", "contracts", "webhooks.vectors.json"), "utf8")) as {
  readonly vectors: readonly Vector[];
};
const REASONS: Readonly<Record<string, string>> = {
  tampered: "bad_signature",
  foreign: "bad_signature",
  replayed: "too_old",
};

const problem = (status: number, code: string, retryAfter?: string) => ({
  status,
  headers: {
    "content-type": "application/problem+json",
    "x-request-id": "req_fault",
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  },
  body: JSON.stringify({
    type: `http://localhost:8080/problems/${code}`,
    title: "A fault",
    status,
    detail: "Something is wrong.",
    code,
    message: "Something is wrong.",
    requestId: "req_fault",
  }),
});
/** What is named above it is taken for it (RFC 9111 §1.2.2). */
const LONGEST_SECONDS = 2_147_483_648;
/** The last two digits of a year. */
const yearsFromNow = (years: number) => String((new Date().getUTCFullYear() + years) % 100).padStart(2, "0");
/** `Sun, 06 Nov 1994 08:49:37 GMT` and the two older forms of it, which recipients still take. */
const HTTP_DATES = {
  "IMF-fixdate": (at: Date) => at.toUTCString(),
  "RFC 850": (at: Date) => {
    const [, day, month, year = "", time] = at.toUTCString().split(" ");
    return `${at.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
  },
  asctime: (at: Date) => {
    const [weekday = "", day, month, year, time] = at.toUTCString().split(" ");
    return `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
  },
} as const;
const json = (body: unknown, headers: Readonly<Record<string, string>> = {}) => ({
  status: 200,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

const linkingTo = (link: string) => ({ link, "x-request-id": "req_page" });
const CIRCLE = {
  ...{ status: 200, code: "unexpected_answer", requestId: "req_page" },
  detail: "The pages go round in a circle.",
};
const NO_CURSOR = { ...CIRCLE, detail: "The link to the next page has no cursor." };

/** What the hand-written layer of an SDK does, the same in every language: retries, deadlines, entity tags, pages, errors, events. */
export function doorScenarios(command: () => Command): void {
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    let world: World;
    let recorder: Recorder;
    let driver: Driver;
    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse);
      for (let number = 1; number <= WORKERS; number++)
        await gatehouse.platform.onboardWorker(onboarding(world.tenantId, `worker.${number}@harbour.example`));
      recorder = await startRecorder(closeLater, gatehouse.url);
      driver = startDriver(closeLater, command());
    }, START_MS);
    beforeEach(() => recorder.begin());

    const place = () => [world.instanceIntegrationId, world.tenantId];
    const ask = (door: string, given: readonly string[], further: Partial<DoorCall> = {}) =>
      driver.ask({
        door,
        arguments: given,
        baseUrl: recorder.url,
        apiKey: world.apiKey,
        options: {},
        keep: null,
        ...further,
      });
    const connections = (options: DoorCall["options"] = {}) => ask("instanceIntegrations", [], { options });
    const read = async (path: string): Promise<unknown> =>
      (await call(gatehouse.url, path, { headers: { "x-api-key": world.apiKey } })).json();
    const pathTo = (rest: string, version = "v1") =>
      `/${version}/instance-integrations/${world.instanceIntegrationId}/clients/${world.tenantId}${rest}`;
    const idsOf = (list: unknown) => (list as readonly { readonly id: string }[]).map(({ id }) => id);

    describe("reads", () => {
      it("iterates every worker over all pages, each page asked for once (R-X187)", async () => {
        const { value } = await ask("workers", place());
        expect(idsOf(value)).toEqual(idsOf(await read(pathTo("/workers"))));
        expect(idsOf(value)).toHaveLength(WORKERS);
        const queries = recorder.seen().map(({ path }) => new URL(path, "http://any").searchParams);
        expect(queries.map((query) => [query.get("limit"), query.has("cursor")])).toEqual([
          ["200", false],
          ["200", true],
          ["200", true],
        ]);
      });

      it("iterates users, and gives clients, job titles, structure and single resources", async () => {
        const { value: workers } = await ask("workers", place());
        const [workerId = ""] = idsOf(workers);
        const asked = {
          clients: await ask("clients", [world.instanceIntegrationId]),
          client: await ask("client", place()),
          users: await ask("users", place()),
          user: await ask("user", [...place(), world.userId]),
          worker: await ask("worker", [...place(), workerId]),
          jobTitles: await ask("jobTitles", place()),
          structure: await ask("organizationStructure", place()),
        };
        expect(asked).toMatchObject({
          clients: { value: [{ id: world.tenantId }] },
          client: { value: { id: world.tenantId } },
          users: { value: [{ id: world.userId }] },
          user: { value: { id: world.userId } },
          worker: { value: { id: workerId } },
          jobTitles: { value: expect.any(Array) },
          structure: { value: { units: [] } },
        });
      });

      it.each([
        `</elsewhere?cursor=a%2Bb>; rel="next"`,
        `<https://elsewhere.example/workers?limit=1&cursor=a%2Bb>; rel=next`,
        `<http://any/?cursor=other>; rel="prev", <http://any/?cursor=a%2Bb>; title="one, two; three"; REL="last next"`,
        `</style.css>; rel=preload, <http://any/?cursor=a%2Bb>; title="<b>; rel=prev"; rel="next"`,
      ])("takes no more than the cursor of the next link, and sends the key to its own address: %s", async (link) => {
        recorder.begin(json([], { link }), json([]));
        expect(await ask("workers", place())).toEqual({ value: [] });
        const [, second] = recorder.seen();
        expect(new URL(second?.path ?? "", "http://any").searchParams.get("cursor")).toBe("a+b");
        expect(second?.asked.get("x-api-key")).toBe(world.apiKey);
      });

      it.each(["Link", "LINK"])("finds the next link in a header that a proxy writes as %s", async (name) => {
        recorder.begin(json([], { [name]: `<http://any/?cursor=two>; rel="next"` }), json([]));
        expect(await ask("workers", place())).toEqual({ value: [] });
        const cursors = recorder.seen().map(({ path }) => new URL(path, "http://any").searchParams.get("cursor"));
        expect(cursors).toEqual([null, "two"]);
      });

      it.each([`<http://any/?cursor=two>; title="a; rel=next"`, `<http://any/?cursor=two>; rel="prev"; rel="next"`])(
        "takes no other link for that to the next page (RFC 8288 §3.3): %s",
        async (link) => {
          recorder.begin(json([], { link }));
          expect(await ask("workers", place())).toEqual({ value: [] });
          expect(recorder.seen()).toHaveLength(1);
        },
      );

      it("ends where the pages go round in a circle", async () => {
        const pages = ["a", "b", "c"].map((cursor) =>
          json([], linkingTo(`<http://any/?cursor=${cursor}>; rel="next"`)),
        );
        recorder.begin(...pages, ...pages, ...pages, ...pages);
        expect(await ask("workers", place())).toMatchObject({ error: CIRCLE });
        expect(recorder.seen().length).toBeLessThan(12);
      });

      it("ends where the next page is the same again", async () => {
        const link = `<http://any/?cursor=same>; rel="next"`;
        recorder.begin(json([], linkingTo(link)), json([], linkingTo(link)));
        expect(await ask("workers", place())).toMatchObject({ error: CIRCLE });
        expect(recorder.seen()).toHaveLength(2);
      });

      it.each([`<http://any/?limit=1>; rel="next"`, `<http://any/?cursor=>; rel="next"`, `<http://[/>; rel=next`])(
        "does not take a list for whole whose link to the next page has no cursor that can be read: %s",
        async (link) => {
          recorder.begin(json([], linkingTo(link)));
          expect(await ask("workers", place())).toMatchObject({ error: NO_CURSOR });
          expect(recorder.seen()).toHaveLength(1);
        },
      );

      it.each([`<http://any/?limit=1>; rel="next"`, `<http://any/?cursor=same>; rel="next"`])(
        "gives the workers of each page that came before it refuses the link to the next one: %s",
        async (link) => {
          const [worker] = (await read(pathTo("/workers", "v2"))) as readonly { readonly id: string }[];
          recorder.begin(json([worker], { link }), json([worker], { link }));
          const { value } = await ask("workersUntilError", place());
          const ids = recorder.seen().map(() => worker?.id);
          expect(value).toMatchObject({ ids, code: "unexpected_answer" });
        },
      );

      it("gives letters of every script, whatever the charset of the platform is", async () => {
        const name = 'Žofie Łukasz Σωκράτης 東京 👩🏽‍🍳 "\\';
        recorder.begin(json([name]));
        expect(await ask("jobTitles", place())).toEqual({ value: [name] });
      });

      it("reads what a proxy has compressed, and what it says of it", async () => {
        const [, clientId = ""] = place();
        const coding = { "content-encoding": "gzip" };
        const packed = (body: unknown) => gzipSync(JSON.stringify(body));
        const refused = problem(404, "client_not_found");
        recorder.begin(
          { ...json([], coding), body: packed(["Köchin"]) },
          { ...json({}, coding), body: packed({ id: clientId }) },
          { ...refused, headers: { ...refused.headers, ...coding }, body: gzipSync(refused.body) },
        );
        expect(await ask("jobTitles", place())).toEqual({ value: ["Köchin"] });
        expect(await ask("follow", [pathTo("")])).toEqual({ value: { id: clientId } });
        expect(await ask("client", place())).toMatchObject({ error: { status: 404, code: "client_not_found" } });
      });

      it.each([102, 103])("waits for the final answer behind %i (RFC 9110 §15.2)", async (interim) => {
        recorder.begin({ ...json(["Cook"]), interim }, json(["Smith"]));
        expect(await ask("jobTitles", place(), { keep: `interim ${interim}` })).toEqual({ value: ["Cook"] });
        expect(await ask("jobTitles", place(), { keep: `interim ${interim}` })).toEqual({ value: ["Smith"] });
      });

      it.each([
        "text/html",
        "text/plain; charset=iso-8859-1",
        "application/json; charset=foo",
        "text/xml",
        "any/thing",
      ])("reads JSON as JSON, whatever a proxy calls it (RFC 8259 §8.1): %s", async (type) => {
        const [, clientId = ""] = place();
        recorder.begin(json(["Köchin"], { "content-type": type }), json({ id: clientId }, { "content-type": type }));
        expect(await ask("jobTitles", place())).toEqual({ value: ["Köchin"] });
        expect(await ask("follow", [pathTo("")])).toEqual({ value: { id: clientId } });
      });

      it("reads JSON without a media type", async () => {
        recorder.begin({ status: 200, body: '["Cook"]' });
        expect(await ask("jobTitles", place())).toEqual({ value: ["Cook"] });
      });

      it.each([201, 202, 203, 206])("takes %i for success, like the status of the contract", async (status) => {
        recorder.begin({ ...json(["Cook"]), status });
        expect(await ask("jobTitles", place())).toEqual({ value: ["Cook"] });
      });

      it("takes another success than the one without a body, and remembers none but 200", async () => {
        recorder.begin(json({ id: "subscription_1" }));
        const answer = await driver.ask({
          ...{ baseUrl: recorder.url, operationId: "deleteSubscription", body: null, headers: {} },
          ...{ parameters: { subscriptionId: "subscription_1" }, apiKey: world.apiKey, basic: null, bearer: null },
        });
        expect([answer.error, answer.unsupported, answer.refused]).toEqual([undefined, undefined, undefined]);
        recorder.begin({ ...json(["Cook"], { etag: '"203"' }), status: 203 }, json(["Smith"]));
        await ask("jobTitles", place(), { keep: "203" });
        await ask("jobTitles", place(), { keep: "203" });
        expect(recorder.seen().map(({ asked }) => asked.get("if-none-match"))).toEqual([null, null]);
      });

      it("follows the link of an event", async () => {
        const path = pathTo("");
        expect(await ask("follow", [path])).toEqual({ value: await read(path) });
      });
    });

    describe("retries (R-X186)", () => {
      it.each([
        ["429 with a number of seconds", problem(429, "too_many_requests", "0")],
        ["503 with a date", problem(503, "unavailable", "Wed, 21 Oct 2015 07:28:00 GMT")],
        ["503 without a time", problem(503, "unavailable")],
        ["a connection that ends", "reset"],
      ] as const)("reads again after %s", async (_, fault) => {
        recorder.begin(fault);
        expect(await connections()).toMatchObject({ value: [{ id: world.instanceIntegrationId }] });
        expect(recorder.seen()).toHaveLength(2);
      });

      it.each([
        [429, "too_many_requests"],
        [503, "unavailable"],
      ] as const)("waits after %i as long as Retry-After says", async (status, code) => {
        recorder.begin(problem(status, code, "2"));
        const beganAt = performance.now();
        expect(await connections()).toMatchObject({ value: [{ id: world.instanceIntegrationId }] });
        expect(recorder.seen()).toHaveLength(2);
        // Timers of some platforms end a little early; a wait of an SDK's own choice is far shorter.
        expect(performance.now() - beganAt).toBeGreaterThan(1_900);
      });

      it("gives up after two retries, with the last answer as the error", async () => {
        const fault = problem(503, "unavailable", "0");
        recorder.begin("reset", fault, fault);
        expect(await connections()).toMatchObject({
          error: { status: 503, code: "unavailable", retryAfter: 0, requestId: "req_fault" },
        });
        expect(recorder.seen()).toHaveLength(3);
      });

      it("retries nothing where retries are off", async () => {
        recorder.begin(problem(429, "too_many_requests", "1"));
        expect(await connections({ retries: 0 })).toMatchObject({ error: { status: 429, retryAfter: 1 } });
        expect(recorder.seen()).toHaveLength(1);
      });

      it.each([
        ["61", {}, 61],
        ["2147483648", {}, 2_147_483_648],
        ["2", { longestWaitMs: 1000 }, 2],
      ])("does not wait for longer than is allowed: Retry-After %s, %j", async (after, options, retryAfter) => {
        recorder.begin(problem(429, "too_many_requests", after));
        expect(await connections(options)).toMatchObject({ error: { status: 429, retryAfter } });
        expect(recorder.seen()).toHaveLength(1);
      });

      it("bounds the time of Retry-After alone: a wait of its own choice is never too long", async () => {
        const fault = problem(503, "unavailable");
        recorder.begin(fault, fault);
        expect(await connections({ longestWaitMs: 0 })).toMatchObject({ value: [{ id: world.instanceIntegrationId }] });
        expect(recorder.seen()).toHaveLength(3);
      });

      it.each(Object.keys(HTTP_DATES) as (keyof typeof HTTP_DATES)[])(
        "takes each form of a date for GMT, whatever the zone of the platform is (RFC 9110 §5.6.7): %s",
        async (form) => {
          const at = new Date(Date.now() + 3_600_000);
          recorder.begin(problem(503, "unavailable", HTTP_DATES[form](at)));
          const { error } = await connections();
          expect(error?.retryAfter).toBeGreaterThan(3_500);
          expect(error?.retryAfter).toBeLessThanOrEqual(3_600);
          expect(recorder.seen()).toHaveLength(1);
        },
      );

      it.each([
        ["2147483647", 2_147_483_647],
        ["2147483649", LONGEST_SECONDS],
        ["9999999999", LONGEST_SECONDS],
        ["9".repeat(20), LONGEST_SECONDS],
        ["9".repeat(400), LONGEST_SECONDS],
        ["Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_SECONDS],
        ["007", 7],
        ["Mon, 21 Oct 2015 07:28:00 GMT", 0],
        ["Sun, 01 Jan 1000 00:00:00 GMT", 0],
        [`Sunday, 06-Nov-${yearsFromNow(52)} 08:49:37 GMT`, 0],
        ["Sun Nov 06 08:49:37 1994", 0],
      ])(
        "takes the same time of Retry-After as every language, 2^31 seconds at most: %s",
        async (after, retryAfter) => {
          recorder.begin(problem(503, "unavailable", after));
          expect(await connections({ retries: 0 })).toMatchObject({ error: { status: 503, retryAfter } });
        },
      );

      it("takes a year of two digits for the one that is at most fifty years ahead (RFC 9110 §5.6.7)", async () => {
        recorder.begin(problem(503, "unavailable", `Sunday, 06-Nov-${yearsFromNow(49)} 08:49:37 GMT`));
        const { error } = await connections({ retries: 0 });
        expect(error?.retryAfter).toBeGreaterThan(48 * 365 * 86_400);
      });

      it.each([
        ...["1.5", "-5", "+5", "1e3", "0x5", "1_0", "5 s", "5, 5", "soon 5", "tomorrow", "2035-10-21T07:28:00Z"],
        ...["Wed, 21 Oct 2035 07:28:00 +0000", "Wed, 21 Oct 2035 07:28:00 UTC", "Wed, 21 Oct 2035 07:28:00"],
        ...["21 Oct 2035 07:28:00 GMT", "Wed, 1 Oct 2035 07:28:00 GMT", "Wed, 21 Oct 2035 7:28:00 GMT"],
        ...["Wed, 21 Oct 2035 07:28 GMT", "Wed, 21 Oct 2035 07:28:00.5 GMT", "wed, 21 oct 2035 07:28:00 gmt"],
        ...["Wed, 21 Foo 2035 07:28:00 GMT", "Xyz, 21 Oct 2035 07:28:00 GMT", "Wed, 21 Oct 0035 07:28:00 GMT"],
        ...["Wed, 30 Feb 2035 07:28:00 GMT", "Wed, 00 Oct 2035 07:28:00 GMT", "Wed, 21 Oct 2035 24:00:00 GMT"],
        ...["Wed, 21 Oct 2035 07:60:00 GMT", "Wed, 21 Oct 2035 07:28:60 GMT", "Wed, 21 Oct 12035 07:28:00 GMT"],
        ...["Wednesday, 21-Oct-35 07:28:00 PST", "Wed, 21-Oct-35 07:28:00 GMT", "Wed Oct  6 07:28:00 2035 GMT"],
      ])("finds no time in Retry-After: %s", async (after) => {
        recorder.begin(problem(503, "unavailable", after));
        const { error } = await connections({ retries: 0 });
        expect([error?.status, error?.retryAfter ?? null]).toEqual([503, null]);
      });

      it("brings every read of many at once through a limit that most of them are over (R-X220)", async () => {
        const { secret } = await gatehouse.workforce.issueApiKey({
          integrationId: world.integrationId,
          label: "narrow",
          expiresAt: null,
          rateLimit: { perSecond: LIMIT, burst: LIMIT },
          scopes: [],
        });
        const { value } = await ask("instanceIntegrations", [], { apiKey: secret, times: AT_ONCE, keep: "narrow" });
        const lists = value as readonly unknown[];
        expect(lists.map((list) => idsOf(list))).toEqual(Array(AT_ONCE).fill([world.instanceIntegrationId]));
        const statuses = recorder.seen().map(({ status }) => status);
        expect(statuses).toContain(429);
      });

      it.each([500, 502, 504])("does not retry %i", async (status) => {
        recorder.begin(problem(status, "internal_error"));
        expect(await connections()).toMatchObject({ error: { status, code: "internal_error" } });
        expect(recorder.seen()).toHaveLength(1);
      });

      it("does not repeat a token request", async () => {
        const refused = { error: "temporarily_unavailable", error_description: "Later." };
        const headers = { "content-type": "application/json", "retry-after": "0" };
        recorder.begin({ status: 503, headers, body: JSON.stringify(refused) });
        const answer = await driver.ask({
          baseUrl: recorder.url,
          operationId: "exchangeToken",
          parameters: {},
          body: { grant_type: "refresh_token", refresh_token: "unknown", client_id: world.application.id },
          apiKey: null,
          basic: null,
          bearer: null,
          headers: {},
          retries: 2,
        });
        expect(answer).toMatchObject({
          error: {
            status: 503,
            code: "temporarily_unavailable",
            detail: "Later.",
            error: "temporarily_unavailable",
            errorDescription: "Later.",
          },
        });
        expect(recorder.seen()).toHaveLength(1);
      });

      it.each(["silence", "drip"] as const)(
        "ends an attempt at its deadline, and makes no further one: %s",
        async (fault) => {
          recorder.begin(fault);
          expect(await connections({ deadlineMs: 200 })).toMatchObject({
            error: { status: 0, code: "deadline_exceeded" },
          });
          expect(recorder.seen()).toHaveLength(1);
        },
      );
    });

    describe("cancelling", () => {
      const faults = [
        ["an attempt without an answer", "silence"],
        ["the wait before a retry", problem(429, "too_many_requests", "30")],
      ] as const;
      it.each(faults)("ends %s, and makes no further one", async (_, fault) => {
        recorder.begin(fault);
        expect(await ask("instanceIntegrations", [], { cancelAfterMs: 300 })).toMatchObject({
          error: { status: 0, code: "cancelled" },
        });
        expect(recorder.seen()).toHaveLength(1);
      });
    });

    describe("entity tags (R-X187)", () => {
      const tags = () => recorder.seen().map(({ asked, status }) => [asked.get("if-none-match"), status]);

      it("gives the remembered answer while nothing has changed, and the new one afterwards", async () => {
        const keep = "remembers";
        const list = () => ask("clients", [world.instanceIntegrationId], { keep });
        const first = await list();
        const [seen] = recorder.seen();
        const tag = seen?.headers.get("etag");
        expect(await list()).toEqual(first);
        const addedTenantId = await newTenant(gatehouse, world.instanceId, `Second of ${keep}`);
        expect(idsOf((await list()).value)).toEqual([...idsOf(first.value), addedTenantId]);
        expect(tags()).toEqual([
          [null, 200],
          [tag, 304],
          [tag, 200],
        ]);
      });

      it("remembers every page with the link to its next one", async () => {
        const first = await ask("workers", place(), { keep: "pages" });
        expect(await ask("workers", place(), { keep: "pages" })).toEqual(first);
        expect(tags().map(([, status]) => status)).toEqual([200, 200, 200, 304, 304, 304]);
      });

      it("does not remember a body that was cut on its way, which every 304 would confirm", async () => {
        const etag = '"cut"';
        recorder.begin({ ...json([], { etag }), body: '["Coo' });
        const titles = () => ask("jobTitles", place(), { keep: "cut" });
        expect(await titles()).toMatchObject({ error: { status: 200, code: "unexpected_answer" } });
        expect(await titles()).toEqual({ value: await read(pathTo("/job-titles")) });
        expect(tags()).toEqual([
          [null, 200],
          [null, 200],
        ]);
      });

      it("does not remember an answer that is to be kept nowhere, as those about webhooks (R-X423)", async () => {
        recorder.begin(json([], { etag: '"nowhere"', "cache-control": "private, No-Store" }));
        const titles = () => ask("jobTitles", place(), { keep: "nowhere" });
        expect(await titles()).toEqual({ value: [] });
        expect(await titles()).toEqual({ value: await read(pathTo("/job-titles")) });
        expect(tags()).toEqual([
          [null, 200],
          [null, 200],
        ]);
      });

      it.each([
        ["answers", { answers: 1 }],
        ["bytes", { bytes: 1 }],
      ])("remembers no more %s than is allowed", async (keep, entityTags) => {
        const options = { entityTags };
        const list = () => ask("clients", [world.instanceIntegrationId], { keep, options });
        const first = await list();
        await ask("jobTitles", place(), { keep, options });
        expect(await list()).toEqual({ value: first.value });
        expect(tags()).toEqual([
          [null, 200],
          [null, 200],
          [null, 200],
        ]);
      });

      it("sends none where they are off", async () => {
        const options = { entityTags: false } as const;
        await ask("clients", [world.instanceIntegrationId], { keep: "forgets", options });
        await ask("clients", [world.instanceIntegrationId], { keep: "forgets", options });
        expect(tags()).toEqual([
          [null, 200],
          [null, 200],
        ]);
      });
    });

    describe("errors (R-X188)", () => {
      it("names each part of a request that was refused", async () => {
        expect(await ask("clients", ["nonsense"])).toMatchObject({
          error: {
            status: 400,
            code: "invalid_request",
            requestId: recorder.seen()[0]?.headers.get("x-request-id"),
            violations: [{ location: "path", name: "instanceIntegrationId", message: expect.any(String) }],
          },
        });
      });

      it("leaves values to the server: a limit that is too high comes back as a refused part", async () => {
        const [instanceIntegrationId = "", clientId = ""] = place();
        const answer = await driver.ask({
          baseUrl: recorder.url,
          operationId: "listUsers",
          parameters: { instanceIntegrationId, clientId, limit: "5000" },
          body: null,
          apiKey: world.apiKey,
          basic: null,
          bearer: null,
          headers: {},
        });
        expect(answer).toMatchObject({
          error: { status: 400, code: "invalid_request", violations: [{ location: "query", name: "limit" }] },
        });
      });

      it.each([
        ["an empty id", "clients", [""]],
        ["an id that would be another path", "clients", [".."]],
        ["an id with a slash", "workers", ["a/b", "c"]],
        ["a link to another server", "follow", ["//elsewhere.example/v1/any"]],
        ["a link to another part of Gatehouse", "follow", ["/auth/userinfo"]],
        ["a link with dots in it", "follow", ["/v1/../auth/userinfo"]],
        ["a link with dots in it that a proxy decodes", "follow", ["/v1/%2E%2e/auth/userinfo"]],
        ["a link with dots behind backslashes", "follow", ["/v1/a\\..\\..\\auth"]],
      ])("refuses %s before anything is sent", async (_, door, given) => {
        expect(await ask(door, given)).toMatchObject({ error: { status: 0, code: "invalid_argument" } });
        expect(recorder.seen()).toEqual([]);
      });

      it.each([
        ["an empty API key", { apiKey: "" }],
        ["an API key that no header takes", { apiKey: "kéy\n" }],
        ["an empty address", { baseUrl: "" }],
        ["an address of another kind", { baseUrl: "file:///etc" }],
        ["an address with a query, which would swallow every path", { baseUrl: "http://127.0.0.1:9/?a=b" }],
        ["an address with a fragment", { baseUrl: "http://127.0.0.1:9/#a" }],
      ])("refuses %s before anything is sent", async (_, further) => {
        expect(await ask("instanceIntegrations", [], further)).toMatchObject({
          error: { status: 0, code: "invalid_argument" },
        });
        expect(recorder.seen()).toEqual([]);
      });

      it.each([
        [502, { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }],
        [200, { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Welcome</h1>" }],
        [200, json({ not: "a list" })],
        [302, { status: 302, headers: { location: "http://127.0.0.1:9/" } }],
        [302, { status: 302, headers: { location: "http://[::/%zz" } }],
        [204, { status: 204 }],
        [205, { status: 205 }],
        [999, { status: 999, headers: { "content-type": "text/html" }, body: "<h1>Denied</h1>" }],
      ])("reports an answer that is none of Gatehouse's, with its status: %i, %j", async (status, fault) => {
        recorder.begin(fault);
        expect(await connections()).toMatchObject({ error: { status, code: "unexpected_answer" } });
        expect(recorder.seen()).toHaveLength(1);
      });

      it.each([`["Cook"] []`, `["Cook"]x`, `["Cook"],`, `["Cook"]\n]`])(
        "refuses what stands behind the JSON, wherever it is read: %s",
        async (body) => {
          recorder.begin({ ...json([]), body }, { ...json([]), body: `{"id":"a"}${body}` });
          const unexpected = { error: { status: 200, code: "unexpected_answer" } };
          expect(await ask("jobTitles", place())).toMatchObject(unexpected);
          expect(await ask("follow", [pathTo("")])).toMatchObject(unexpected);
        },
      );

      it("refuses what stands behind the JSON of an error", async () => {
        const fault = problem(404, "client_not_found");
        recorder.begin({ ...fault, body: `${fault.body}x` });
        expect(await ask("client", place())).toMatchObject({ error: { status: 404, code: "unexpected_answer" } });
      });

      const packed = { "content-encoding": "gzip" };
      it.each([
        ["a body", (body: string) => ({ ...json([]), body })],
        ["a body that is packed", (body: string) => ({ ...json([], packed), body: gzipSync(body) })],
      ])("takes %s up to the bound of bytes, and no further", async (_, fault) => {
        const body = JSON.stringify(["Cook".repeat(1000)]);
        const options = { answerBytesMax: body.length };
        recorder.begin(fault(body), fault(`${body} `));
        expect(await ask("jobTitles", place(), { options })).toEqual({ value: JSON.parse(body) });
        expect(await ask("jobTitles", place(), { options })).toMatchObject({
          error: { status: 200, code: "unexpected_answer", detail: expect.stringContaining(String(body.length)) },
        });
        expect(recorder.seen()).toHaveLength(2);
      });

      it("ends an answer without an end at the bound of bytes", async () => {
        recorder.begin("drip");
        expect(await ask("jobTitles", place(), { options: { answerBytesMax: 10 } })).toMatchObject({
          error: { status: 200, code: "unexpected_answer" },
        });
        expect(recorder.seen()).toHaveLength(1);
      });

      it("takes 64 MiB of one answer unless told otherwise, and gives the status of a larger one", async () => {
        const spaces = " ".repeat(64 * 1024 * 1024 - 2);
        const refused = problem(502, "bad_gateway");
        recorder.begin(
          { ...json([], packed), body: gzipSync(`${spaces}[]`) },
          { ...refused, headers: { ...refused.headers, ...packed }, body: gzipSync(spaces + refused.body) },
        );
        expect(await ask("jobTitles", place())).toEqual({ value: [] });
        expect(await ask("jobTitles", place())).toMatchObject({
          error: { status: 502, code: "unexpected_answer", requestId: "req_fault" },
        });
      });

      it("refuses a bound of no bytes before anything is sent", async () => {
        expect(await connections({ answerBytesMax: 0 })).toMatchObject({
          error: { status: 0, code: "invalid_argument" },
        });
        expect(recorder.seen()).toEqual([]);
      });

      it("names the request whose answer cannot be read", async () => {
        recorder.begin(json({ not: "a list" }, { "x-request-id": "req_1" }));
        expect(await connections()).toMatchObject({ error: { status: 200, requestId: "req_1" } });
      });

      it("keeps what can be read of a problem whose other members are missing or of another form", async () => {
        const part = { in: "query", name: "limit", detail: "Too high." };
        const said = { code: "invalid_request", title: "Bad", status: "400", errors: ["bad", part, { name: "sort" }] };
        const { headers } = problem(400, "any");
        recorder.begin({ status: 400, headers, body: JSON.stringify(said) });
        expect(await connections()).toMatchObject({
          error: {
            ...{ status: 400, code: "invalid_request", detail: "Bad", requestId: "req_fault" },
            violations: [
              { location: "query", name: "limit", message: "Too high." },
              { location: "", name: "sort", message: "" },
            ],
          },
        });
      });

      it.each([
        ["a problem without a code", "application/problem+json", { title: "Bad" }],
        ["a problem whose code is no text", "application/problem+json", { code: 5, title: "Bad" }],
        ["what another server says in JSON", "application/json", { message: "Forbidden" }],
      ])("takes %s for none of Gatehouse's", async (_, type, body) => {
        recorder.begin({ status: 403, headers: { "content-type": type }, body: JSON.stringify(body) });
        expect(await connections()).toMatchObject({ error: { status: 403, code: "unexpected_answer" } });
      });

      it("takes an OAuth error without a description (RFC 6749 §5.2)", async () => {
        recorder.begin({ ...json({ error: "invalid_client" }), status: 401 });
        expect(await connections()).toMatchObject({
          error: { status: 401, code: "invalid_client", error: "invalid_client" },
        });
      });

      it("refuses an entity tag that no header can have before anything is sent", async () => {
        const answer = await driver.ask({
          ...{ baseUrl: recorder.url, operationId: "listInstanceIntegrations", parameters: {}, body: null },
          ...{ apiKey: world.apiKey, basic: null, bearer: null, headers: { "if-none-match": '"a"\n"b"' } },
        });
        expect(answer).toMatchObject({ error: { status: 0, code: "invalid_argument" } });
        expect(recorder.seen()).toEqual([]);
      });

      it("reports that there is no server", async () => {
        expect(
          await ask("clients", place().slice(0, 1), { baseUrl: "http://127.0.0.1:9", options: { retries: 0 } }),
        ).toMatchObject({ error: { status: 0, code: "no_answer" } });
      });
    });
  });

  withScope((closeLater) => {
    let driver: Driver;
    beforeAll(() => {
      driver = startDriver(closeLater, command());
    });

    const [genuine] = vectors as readonly [Vector];
    const verify = ({ secret, headers, body, verifiedAt }: Vector, further: object = {}) =>
      driver.ask({ door: "verify", secrets: [secret], headers, body, now: verifiedAt, ...further });
    const accepted = { event: { type: genuine.eventType, known: true } };
    const sentAt = Number(genuine.headers["webhook-timestamp"]);
    const signed = (body: string): Vector => {
      const signature = new Webhook(SECRET).sign("event_1", new Date(sentAt * 1000), body);
      const headers = { "webhook-id": "event_1", "webhook-timestamp": String(sentAt), "webhook-signature": signature };
      return { ...genuine, secret: SECRET, headers, body };
    };

    describe("verify (R-X189)", () => {
      it("has examples of every event type", () => {
        expect(new Set(vectors.map(({ eventType }) => eventType))).toEqual(new Set(SENT_TYPES));
      });

      it.each(vectors)("decides as published: $name", async (vector) => {
        const reason = REASONS[vector.name.split(" ").at(-1) ?? ""];
        const expected = { event: { type: vector.eventType, known: true } };
        expect(await verify(vector)).toEqual(vector.verdict === "accept" ? expected : { eventRefused: reason });
      });

      it("takes several secrets, and headers in capitals", async () => {
        const headers = Object.fromEntries(
          Object.entries(genuine.headers).map(([name, value]) => [name.toUpperCase(), value]),
        );
        const other = "whsec_Z2F0ZWhvdXNlIHJldGlyaW5nIHRlc3QgdmVjdG9ycyE=";
        expect(await verify(genuine, { secrets: [other, genuine.secret], headers })).toEqual(accepted);
      });

      it.each([
        [sentAt + 300, accepted],
        [sentAt + 301, { eventRefused: "too_old" }],
        [sentAt - 300, accepted],
        [sentAt - 301, { eventRefused: "too_new" }],
      ])("takes a time within five minutes: now is %i", async (now, expected) => {
        expect(await verify(genuine, { now })).toEqual(expected);
      });

      it("takes another tolerance", async () => {
        const now = sentAt + 11;
        expect(await verify(genuine, { now, toleranceSeconds: 10 })).toEqual({ eventRefused: "too_old" });
        expect(await verify(genuine, { now, toleranceSeconds: 11 })).toEqual(accepted);
      });

      it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("misses %s", async (name) => {
        const { [name]: _, ...headers } = genuine.headers;
        expect(await verify(genuine, { headers })).toEqual({ eventRefused: "missing_header" });
      });

      it.each([
        ["webhook-timestamp", "soon", "missing_header"],
        ["webhook-signature", "v1,not base64 at all!", "bad_signature"],
        ["webhook-signature", `v2,${genuine.headers["webhook-signature"]?.slice(3)}`, "bad_signature"],
        ["webhook-signature", "v1,", "bad_signature"],
      ])("refuses %s: %s", async (name, value, reason) => {
        expect(await verify(genuine, { headers: { ...genuine.headers, [name]: value } })).toEqual({
          eventRefused: reason,
        });
      });

      it.each(["", "not JSON", "[]", "null"])("refuses a signed body that is no JSON object: %j", async (body) => {
        expect(await verify(signed(body))).toEqual({ eventRefused: "not_json" });
      });

      it.each([
        ["of a new type", { type: "worker.promoted", specVersion: 1, dataVersion: 1 }],
        ["of a new version", { ...JSON.parse(genuine.body), dataVersion: 2 }],
        ["with data of another form", { ...JSON.parse(genuine.body), data: null }],
      ])("gives an event %s as it is", async (_, event) => {
        expect(await verify(signed(JSON.stringify(event)))).toEqual({ event: { type: event.type, known: false } });
      });

      it("types an event that was triggered to try out a receiver (R-X317)", async () => {
        expect(await verify(signed(JSON.stringify({ ...JSON.parse(genuine.body), test: true })))).toEqual(accepted);
      });

      it("takes an event with members that are new", async () => {
        const { data, ...event } = JSON.parse(genuine.body);
        const body = JSON.stringify({ ...event, data: { ...data, motto: "new" }, new: true });
        expect(await verify(signed(body))).toEqual(accepted);
      });

      it.each(["", "whsec_", "whsec_%%%", "Z2F0ZWhvdXNl"])("says that a secret is none: %j", async (secret) => {
        expect(await verify(genuine, { secrets: [secret] })).toMatchObject({ error: { code: "invalid_argument" } });
      });
    });
  });
}
