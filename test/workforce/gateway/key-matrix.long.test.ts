import { parseProofMetadata, proofOf, toProofMetadata } from "../../../src/workforce/integrations/api-key.ts";
import type { Answer } from "../../support/http.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { there } from "../workforce-fixture.ts";
import { comparable } from "./alike.ts";
import { type BadKey, badKeys } from "./bad-keys.ts";
import { fillIds, OPERATIONS, unknownIds } from "./contract-paths.ts";

eachStore((_, open) => {
  let gateway: Gateway;
  let have: Furniture;
  let keys: readonly BadKey[];

  beforeAll(async () => {
    const { workforce, ...opened } = await openFurnished(open);
    ({ gateway, have } = opened);
    keys = await badKeys(workforce, have.secret, have.instanceId);
  });
  afterAll(() => gateway.stop());

  const ask = (path: string, { headers, query }: BadKey, method = "GET") =>
    gateway.get(query === undefined ? path : `${path}?${query}`, undefined, { method, headers });

  it("each bad key is bad for one reason: the good one is accepted, and the well-formed ones give a proof", () => {
    const formed = keys.filter(({ headers }) => proofOf(String(headers["x-api-key"])) !== undefined);
    expect(formed.map(({ label }) => label)).toEqual([
      "unknown",
      "with the look-up part of a good one and another secret",
      "with the look-up part of a revoked one and another secret",
      "revoked",
      "expired",
    ]);
    const [lookUp, other] = [have.secret, String(formed[1]?.headers["x-api-key"])].map(
      (key) => parseProofMetadata(toProofMetadata(there(proofOf(key))))?.lookUp,
    );
    expect(other).toBe(lookUp);
  });

  describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))("%s", (_id, operation) => {
    const { path, positions } = operation;
    const paths = () => {
      const [last] = positions.slice(-1);
      return [
        fillIds(path, have.pathIds),
        fillIds(path, unknownIds(operation)),
        ...(last === undefined ? [] : [fillIds(path, { ...have.pathIds, [last.name]: "x" })]),
        `${fillIds(path, have.pathIds)}?limit=0`,
      ];
    };

    it("answers every bad key alike, whatever else is wrong (R-G2, R-G11, S38)", async () => {
      expect((await gateway.get(fillIds(path, have.pathIds), have.secret)).status).toBe(200);
      const first = await ask(fillIds(path, have.pathIds), there(keys[0]));
      const wrong: object[] = [];
      for (const key of keys) {
        for (const target of paths()) {
          const told = comparable(await ask(target.replace(/\?.*/, key.query === undefined ? "$&" : ""), key));
          if (JSON.stringify(told) !== JSON.stringify(comparable(first))) wrong.push({ key: key.label, target, told });
        }
      }
      expect(wrong).toEqual([]);
      expect(first.json()).toMatchObject({
        status: 401,
        code: "unauthorized",
        detail: "The API key (header x-api-key) is missing or wrong.",
      });
      expect(first.headers.get("www-authenticate")).toBe('ApiKey realm="gateway"');
    });

    it("answers HEAD as GET, without the body (RFC 9110 §9.3.2)", async () => {
      const get = await gateway.get(fillIds(path, have.pathIds), have.secret);
      const tag = { "if-none-match": get.headers.get("etag") ?? "" };
      const requests: [string, string | undefined, Record<string, string>][] = [
        ...paths().map((target): [string, string, Record<string, string>] => [target, have.secret, {}]),
        [fillIds(path, have.pathIds), have.secret, tag],
        [fillIds(path, have.pathIds), undefined, {}],
      ];
      const statuses = new Set<number>();
      for (const [target, key, headers] of requests) {
        const whole = await gateway.get(target, key, { headers });
        const head = await gateway.get(target, key, { method: "HEAD", headers });
        expect(head.text).toBe("");
        expect(headersOf(head)).toEqual(headersOf(whole));
        statuses.add(head.status);
      }
      expect(statuses).toEqual(new Set([200, 304, 401, ...(positions.length > 0 ? [400, 404] : [])]));
    });

    it("answers OPTIONS with the allowed methods, for every caller and every id (R-X64)", async () => {
      gateway.takeCalls();
      const answers = [];
      for (const target of paths()) {
        for (const headers of [{}, { "x-api-key": have.secret }, PREFLIGHT])
          answers.push(await gateway.get(target, undefined, { method: "OPTIONS", headers }));
      }
      const [first] = answers;
      expect(headersOf(there(first))).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
      expect(answers.map(comparable)).toEqual(answers.map(() => comparable(there(first))));
      // No other origin is allowed anything (S41), and no call was made.
      expect([...there(first).headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(gateway.takeCalls()).toEqual([]);
    });

    it.each(["POST", "PUT", "PATCH", "DELETE", "TRACE"])(
      "answers %s with 405 and the allowed methods (R-X23)",
      async (method) => {
        const answer = await gateway.get(fillIds(path, have.pathIds), have.secret, { method });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      },
    );
  });
});

const PREFLIGHT = {
  origin: "https://elsewhere.example",
  "access-control-request-method": "GET",
  "access-control-request-headers": "x-api-key",
};

/** Status and headers but for those that name the request, the time and what is left of the rate. The length of a 401 depends on nothing. */
const headersOf = ({ status, headers }: Answer) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !["x-request-id", "date", "ratelimit"].includes(name))),
});
