import { toCursor } from "../../../src/workforce/gateway/cursor.ts";
import type { PageStart } from "../../../src/workforce/page.ts";
import { freePort } from "../../support/free-port.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import type { Given, Place } from "./browsing.ts";
import { EXAMPLE } from "./example-names.ts";
import { type ExampleWorld, plantExampleWorld } from "./example-world.ts";
import { exampleApiKey, type ShownRequest, shownRequests } from "./shown-requests.ts";
import { WAYS, type Way } from "./ways.ts";

const REQUESTS = shownRequests();
const API_KEY = exampleApiKey();

const named = (operationId: string): ShownRequest => {
  const request = REQUESTS.find((one) => one.operationId === operationId);
  if (request === undefined) throw new Error(`The contracts have no operation ${operationId}.`);
  return request;
};

const wayOf = ({ operationId }: ShownRequest): Way => {
  const way = WAYS[operationId];
  if (way === undefined) throw new Error(`${operationId} has no way to be sent: ways.ts`);
  return way;
};

/** Sends what the contract shows, with other values in place of the named ones. Every answer is held against the contract. */
function send({ url }: Place, request: ShownRequest, { headers, values = {} }: Given = {}) {
  const replaced = (shown: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, values[name] ?? value]));
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => replaced(request.inPath)[name] ?? "");
  const search = new URLSearchParams(replaced(request.query)).toString();
  const body = request.body === undefined ? {} : replaced(request.body.values);
  const sent = request.body?.type === "application/json" ? { json: body } : { form: body };
  return call(url, search === "" ? path : `${path}?${search}`, {
    method: request.method,
    headers: { ...request.headers, "x-api-key": API_KEY, ...headers },
    ...(request.body === undefined ? {} : sent),
  });
}

describe("the requests that the contracts show, sent to a server that has the examples' data (R-X172)", () => {
  withScope((closeLater) => {
    let place: Place;
    let world: ExampleWorld;
    beforeAll(async () => {
      const port = await freePort();
      // The issuer is the examples', so that what names it can be compared to the letter; it listens elsewhere.
      const flags = { "public-port": String(port), issuer: EXAMPLE.issuer };
      const gatehouse = await openGatehouse(closeLater, { flags });
      place = { url: `http://127.0.0.1:${port}`, signOn: gatehouse.signOn };
      world = await plantExampleWorld(gatehouse.dataDirectory, API_KEY);
      closeLater(async () => world.close());
    });
    beforeEach(() => world.renew());

    it("are exactly those of the table", () => {
      expect(Object.keys(WAYS).toSorted()).toEqual([...new Set(REQUESTS.map((one) => one.operationId))].toSorted());
    });

    it.each(REQUESTS)("$name: accepted, and answered as the contract says", async (request) => {
      const { status, location = "", instead = {}, give } = wayOf(request);
      const given = (await give?.(place)) ?? {};
      const answer = await send(place, request, given);
      const start = (answer.headers.get("location") ?? "").slice(0, location.length);
      expect({ status: answer.status, start, text: answer.text }).toMatchObject({ status, start: location });
      expect(Object.keys(given.values ?? {}).toSorted()).toEqual(Object.keys(instead).toSorted());
    });

    it.each(REQUESTS.filter((request) => wayOf(request).exact))(
      "$name: answered exactly with the example",
      async (request) => {
        const answer = await send(place, request, await wayOf(request).give?.(place));
        expect(answer.json()).toEqual(request.answer?.body);
      },
    );

    describe.each([
      ["listWorkersV2", "worker_1QpGy6NdJf3HsV8TkX5Cb", "2026-06-29T10:05:00.000Z"],
      ["listUsers", "user_5ZgPx8LbQw3KtN7JcS1Vd", "2026-06-29T10:00:00.000Z"],
    ])("%s in pages (R-G9)", (operationId, next, createdAt) => {
      const { query, ...request } = named(operationId);
      const { cursor = "", ...first } = query;

      it("starts with the example's page, whose Link equals the example's exactly", async () => {
        const answer = await send(place, { ...request, query: first });
        expect(answer.json()).toEqual(request.answer?.body);
        expect(answer.headers.get("link")).toBe(request.answer?.headers.link);
      });

      it("continues with the example's cursor, which is the one in the Link", async () => {
        const answer = await send(place, { ...request, query });
        expect(answer.json<{ id: string }[]>().map(({ id }) => id)).toEqual([next]);
        expect(request.answer?.headers.link).toContain(`cursor=${cursor}>`);
      });

      it("has the cursor that belongs to the example's key and list", () => {
        const path = request.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => request.inPath[name] ?? "");
        const [last] = (request.answer?.body ?? []) as readonly { readonly id: PageStart["id"] }[];
        const position = { createdAt: new Date(createdAt), id: present(last).id };
        expect(toCursor({ operationId, path, key: API_KEY }, position)).toBe(cursor);
      });
    });

    it("are about a code that is spent by one exchange, and a refresh token that ends when revoked: the data is real", async () => {
      const [exchange, revoke, introspect] = ["exchangeToken", "revokeToken", "introspectToken"].map(named);
      const first = await send(place, exchange as ShownRequest);
      const again = await send(place, exchange as ShownRequest);
      const before = await send(place, introspect as ShownRequest);
      await send(place, revoke as ShownRequest);
      const after = await send(place, introspect as ShownRequest);
      expect([first.status, again.status]).toEqual([200, 400]);
      expect([before.json(), after.json()]).toEqual([expect.objectContaining({ active: true }), { active: false }]);
    });
  });
});
