import { eachStore } from "../../support/stores.ts";
import { crowd } from "../crowd.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

const CODINGS = ["br", "gzip"] as const;

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let secret: string;
  let base: string;
  let emptyBase: string;

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
    const instanceId = await workforce.instance();
    const { secret: key, connectionId } = await workforce.integration(instanceId);
    secret = key;
    const [full, empty] = [await workforce.tenant(instanceId), await workforce.tenant(instanceId)];
    await crowd(
      workforce,
      full.id,
      Array.from({ length: 1_200 }, (__, index) => index),
    );
    const below = (tenantId: string) => `instance-integrations/${connectionId}/clients/${tenantId}`;
    [base, emptyBase] = [below(full.id), below(empty.id)];
  });
  afterAll(() => gateway.stop());

  const get = (path: string, encoding: string | undefined, more: Record<string, string> = {}, method = "GET") =>
    gateway.get(path, secret, {
      method,
      headers: { ...(encoding !== undefined && { "accept-encoding": encoding }), ...more },
    });

  // A list that is sent while it is read, one of one batch, and one that takes another thread.
  describe.each([
    ["in several batches", () => `/v1/${base}/workers`],
    ["in one batch", () => `/v2/${base}/workers?limit=20`],
    ["of one large page", () => `/v2/${base}/workers?limit=1000`],
  ])("a long answer %s", (_case, path) => {
    it.each(CODINGS)("has the same content in %s as without, with a tag of its own (R-G10)", async (coding) => {
      const [plain, answer] = [await get(path(), undefined), await get(path(), coding)];
      expect([plain.headers.get("content-encoding"), answer.headers.get("content-encoding")]).toEqual([null, coding]);
      expect(answer.text === plain.text).toBe(true);
      const tag = plain.headers.get("etag") ?? "";
      expect(answer.headers.get("etag")).toBe(`${tag.slice(0, -1)}-${coding}"`);
      expect(answer.headers.get("vary")).toBe("x-api-key, Accept-Encoding");
      expect(answer.headers.get("content-type")).toBe("application/json");
    });

    it("is 304 for each of its tags, whatever coding is accepted, and names the tag that was sent (R-G10)", async () => {
      for (const has of [undefined, ...CODINGS]) {
        const tag = (await get(path(), has)).headers.get("etag") ?? "";
        for (const takes of [undefined, ...CODINGS]) {
          const again = await get(path(), takes, { "if-none-match": tag });
          expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
          expect(again.headers.get("content-encoding")).toBeNull();
        }
      }
    });

    it.each([undefined, ...CODINGS])(
      "is 304 for any copy, with the tag that is sent to who accepts %s (R-G10, RFC 9110 §15.4.5)",
      async (coding) => {
        const sent = async (address: string, more?: Record<string, string>) => {
          const { status, headers } = await get(address, coding, more);
          return [status, headers.get("etag"), headers.get("content-encoding")];
        };
        const any = { "if-none-match": "*" };
        // Before the edge has the answer, and after.
        const [first, [, tag, used], again] = [await sent(path(), any), await sent(path()), await sent(path(), any)];
        expect(used).toBe(coding ?? null);
        expect([first, again]).toEqual([
          [304, tag, null],
          [304, tag, null],
        ]);
      },
    );

    it("passes If-Match with the tag of the coding that is sent, and of no other (R-X420)", async () => {
      const codings = [undefined, ...CODINGS];
      const tags: string[] = [];
      for (const coding of codings) tags.push((await get(path(), coding)).headers.get("etag") ?? "");
      const statuses: number[][] = [];
      for (const coding of codings) {
        const row: number[] = [];
        for (const tag of tags) row.push((await get(path(), coding, { "if-match": tag })).status);
        statuses.push(row);
      }
      expect(statuses).toEqual([
        [200, 412, 412],
        [412, 200, 412],
        [412, 412, 200],
      ]);
    });

    it.each(CODINGS)("has the same headers for HEAD as for GET in %s", async (coding) => {
      const [whole, head] = [await get(path(), coding), await get(path(), coding, {}, "HEAD")];
      for (const name of ["etag", "content-encoding", "content-length", "content-type", "vary", "link"])
        expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
      expect(head.text).toBe("");
    });

    it.each(["deflate", "gzip;q=2", "identity", ""])("is sent uncompressed for `%s`", async (encoding) => {
      expect((await get(path(), encoding)).headers.get("content-encoding")).toBeNull();
    });

    it("is sent uncompressed when no known coding is accepted, identity included (R-X62)", async () => {
      const answer = await get(path(), "identity;q=0, deflate");
      expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, null]);
    });
  });

  it("a short answer stays uncompressed, unless only a coding is accepted", async () => {
    const path = `/v1/${emptyBase}/workers`;
    const [plain, only] = [await get(path, "br, gzip"), await get(path, "gzip, identity;q=0")];
    expect([plain.headers.get("content-encoding"), plain.text]).toEqual([null, "[]"]);
    expect([only.headers.get("content-encoding"), only.text]).toEqual(["gzip", "[]"]);
    expect(only.headers.get("etag")).toBe(`${(plain.headers.get("etag") ?? "").slice(0, -1)}-gzip"`);
  });

  it("a problem stays uncompressed", async () => {
    const answer = await get(`/v1/${base}x/workers`, "gzip, identity;q=0");
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([400, null]);
  });
});
