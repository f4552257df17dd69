import { operations } from "../../../generated/operations/gateway.ts";
import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { contract, operationsOf } from "../../contract/contracts.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, furnish, type Gateway, openFurnished, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";
import { fillIds, OPERATIONS } from "./contract-paths.ts";

/** Each parameter of a query that changes what is answered, with a value; a cursor is one that a list gave. */
const QUERIES = operationsOf(contract("gateway")).flatMap(({ operationId, parameters }) =>
  parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, schema, example }) => {
      const path = OPERATIONS.find(({ id }) => id === operationId)?.path;
      const [value = example] = (schema as { readonly enum?: readonly string[] }).enum ?? [];
      return path === undefined ? [] : [{ operationId, name, path, value: String(value) }];
    }),
);

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let have: Furniture;

  beforeAll(async () => {
    ({ workforce, gateway, have } = await openFurnished(open));
  });
  afterAll(() => gateway.stop());

  const fill = (path: string) => fillIds(path, have.pathIds);
  const get = (path: string, ifNoneMatch?: string, secret = have.secret, method = "GET") =>
    gateway.get(path, secret, {
      method,
      headers: ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch },
    });
  const tagOf = async (path: string, secret = have.secret) =>
    (await get(path, undefined, secret)).headers.get("etag") ?? "";

  it.each(QUERIES)(
    "$operationId: an answer to ?$name= has a tag of its own, or the edge would answer by one to another (R-G10)",
    async ({ name, path: template, value }) => {
      const path = fill(template);
      const [, cursor = ""] =
        /[?&]cursor=([^&>]+)/.exec((await get(`${path}?limit=1`)).headers.get("link") ?? "") ?? [];
      const answer = await get(`${path}?${name}=${name === "cursor" ? cursor : value}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("etag")).not.toBe(await tagOf(path));
    },
  );

  describe.each(OPERATIONS)("$id (R-G10)", ({ path: template }) => {
    let path: string;
    let tag: string;

    beforeAll(async () => {
      path = fill(template);
      tag = await tagOf(path);
    });

    it("answers with a strong tag, the same as long as nothing changes", async () => {
      const { headers } = await get(path);
      expect(headers.get("etag")).toBe(tag);
      expect(tag).toMatch(/^"/);
      expect(headers.get("vary")).toBe("x-api-key, Accept-Encoding");
    });

    it.each([
      ["the tag", () => tag],
      ["a weak one", () => `W/${tag}`],
      ["one among others", () => `"x", ${tag}, "y"`],
      ["any", () => "*"],
    ])("answers 304 without a body to %s, for one call", async (_case, header) => {
      gateway.takeCalls();
      const answer = await get(path, header());
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", tag]);
      expect(answer.headers.get("cache-control")).toBe("private, no-cache");
      expect(answer.headers.get("vary")).toBe("x-api-key, Accept-Encoding");
      expect(answer.headers.get("content-type")).toBeNull();
      expect(gateway.takeCalls()).toHaveLength(1);
    });

    it.each([
      ["another tag", () => '"x"'],
      ["no tag", () => "x"],
      ["another revision", () => tag.replace(/"\w+-/, '"zz-')],
      ["8,000 characters", () => `"${"A".repeat(8_000)}"`],
      ["letters beyond ASCII", () => '"\u00e9"'],
    ])("answers 200 to %s", async (_case, header) => {
      expect((await get(path, header())).status).toBe(200);
    });

    it("ignores the tag of another address or key (R-X39)", async () => {
      const others = await Promise.all(OPERATIONS.map((one) => tagOf(fill(one.path))));
      const foreign = others.filter((one) => one !== tag);
      expect(foreign).toHaveLength(OPERATIONS.length - 1);
      expect((await get(path, foreign.join(", "))).status).toBe(200);
      const { secret } = await workforce.operator.issueApiKey({
        integrationId:
          (await workforce.operator.listIntegrations({ after: null })).integrations[0]?.integration?.id ?? "",
        label: "second",
        rateLimit: null,
        scopes: [],
      });
      const second = await get(path, tag, secret);
      expect([second.status, second.headers.get("etag") === tag]).toEqual([200, false]);
    });

    it("answers HEAD like GET, with and without condition", async () => {
      const [head, unchanged] = [
        await get(path, undefined, have.secret, "HEAD"),
        await get(path, tag, have.secret, "HEAD"),
      ];
      expect([head.status, head.headers.get("etag"), head.text]).toEqual([200, tag, ""]);
      expect([unchanged.status, unchanged.headers.get("etag"), unchanged.text]).toEqual([304, tag, ""]);
    });

    it("checks the key and the address before the condition", async () => {
      expect((await get(path, "*", newApiKey(seededRandom()))).status).toBe(401);
      // The list of instance integrations names none in its address, and is the caller's own either way.
      const expected = path.includes(have.connectionId) ? 404 : 304;
      for (const other of [have.theirs.connectionId, have.unconfiguredId])
        expect((await get(path.replace(have.connectionId, other), `*, ${tag}`)).status).toBe(expected);
    });

    const asked = (headers: Record<string, string>, secret = have.secret, at = path, method = "GET") =>
      gateway.get(at, secret, { method, headers });

    it.each([
      ["the tag", () => tag],
      ["one among others", () => `"x", ${tag}, "y"`],
      ["any", () => "*"],
    ])("answers like without it where If-Match names %s (R-X420)", async (_case, header) => {
      const [plain, answer] = [await get(path), await asked({ "if-match": header() })];
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([200, plain.text, tag]);
    });

    it.each([
      ["another tag", () => '"x"'],
      ["a weak one", () => `W/${tag}`],
      ["another revision", () => tag.replace(/"\w+-/, '"zz-')],
      ["the tag of another coding", () => `${tag.slice(0, -1)}-gzip"`],
      ["none", () => ""],
    ])("answers 412 where If-Match names %s, for one call (R-X420)", async (_case, header) => {
      gateway.takeCalls();
      const answer = await asked({ "if-match": header() });
      expect(answer.status).toBe(412);
      expect(answer.json()).toMatchObject({ code: "precondition_failed", status: 412 });
      expect([answer.headers.get("etag"), answer.headers.get("ratelimit-policy")]).toEqual([null, expect.any(String)]);
      expect(gateway.takeCalls()).toHaveLength(1);
    });

    it("looks at If-Match first, then at If-None-Match (R-X420, RFC 9110 §13.2.2)", async () => {
      const both = (match: string, noneMatch: string) => asked({ "if-match": match, "if-none-match": noneMatch });
      const answers = [await both('"x"', tag), await both('"x"', "*"), await both(tag, tag), await both(tag, "*")];
      expect(answers.map(({ status }) => status)).toEqual([412, 412, 304, 304]);
      expect(answers.slice(2).map(({ headers }) => headers.get("etag"))).toEqual([tag, tag]);
      expect((await both(tag, '"x"')).status).toBe(200);
    });

    it("answers HEAD with 412 and no body where GET has one (R-X420)", async () => {
      const head = await asked({ "if-match": '"x"' }, have.secret, path, "HEAD");
      expect([head.status, head.text]).toEqual([412, ""]);
    });

    it("checks the key and the address before If-Match (R-X420, RFC 9110 §13.2.1)", async () => {
      const condition = { "if-match": '"x"' };
      expect((await asked(condition, newApiKey(seededRandom()))).status).toBe(401);
      const elsewhere = path.replace(have.connectionId, have.unconfiguredId);
      const expected = path.includes(have.connectionId) ? 404 : 412;
      expect((await asked(condition, have.secret, elsewhere)).status).toBe(expected);
    });

    it("ignores If-Unmodified-Since: nothing here has a date of its last change (R-X420, RFC 9110 §13.1.4)", async () => {
      const answer = await asked({ "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" });
      expect(answer.status).toBe(200);
    });

    it("ignores query parameters that the contract does not have", async () => {
      expect((await get(`${path}?x=1`, tag)).status).toBe(304);
    });
  });

  it.each(["listUsers", "listWorkersV2"] as const)("%s: each page has a tag of its own", async (id) => {
    const path = fill(operations[id].path);
    const first = await get(`${path}?limit=1`);
    const next = /^<[^/]+\/\/[^/]+(\/[^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const targets = [path, `${path}?limit=1`, `${path}?limit=2`, next];
    const tags = await Promise.all(targets.map((target) => tagOf(target)));
    expect(new Set(tags).size).toBe(tags.length);
    for (const [index, target] of targets.entries()) expect((await get(target, tags[index])).status).toBe(304);
    expect((await get(`${path}?x=1&limit=1`, tags[1])).status).toBe(304);
  });

  it("sends no tag with a 404, and `*` changes nothing about it", async () => {
    const path = fill(operations.getUser.path).replace(have.user.id, have.foreignUser.id);
    const answer = await get(path, "*");
    expect([answer.status, answer.headers.get("etag")]).toEqual([404, null]);
  });
});

eachStore((_, open) => {
  it("reads no table for an unchanged answer: the tables may be gone (R-G10)", async () => {
    const workforce = await openWorkforce(open);
    const gateway = await startGateway(workforce.registrations);
    const another = await startGateway(workforce.registrations);
    const have = await furnish(workforce);
    const base = `/instance-integrations/${have.connectionId}/clients/${have.tenant.id}`;
    const paths = [`/v1${base}/users`, `/v1${base}/workers`, `/v2${base}/workers`, `/v1${base}/organization-structure`];
    const tags = await Promise.all(
      paths.map(async (path) => (await gateway.get(path, have.secret)).headers.get("etag") ?? ""),
    );
    for (const table of ["users", "workers", "units", "worker_units"])
      await workforce.raw(`alter table workforce_${table} rename to gone_${table}`);
    for (const [index, path] of paths.entries()) {
      const headers = { "if-none-match": tags[index] ?? "" };
      expect((await gateway.get(path, have.secret, { headers })).status).toBe(304);
      // The edge has the answer (R-X267); one that has nothing has to read.
      expect((await gateway.get(path, have.secret)).status).toBe(200);
      expect((await another.get(path, have.secret, { headers })).status).toBe(304);
      expect((await another.get(path, have.secret)).status).toBe(500);
    }
    await Promise.all([gateway.stop(), another.stop()]);
  });
});
