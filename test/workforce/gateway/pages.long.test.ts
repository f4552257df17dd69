import { eachStore } from "../../support/stores.ts";
import { crowd } from "../crowd.ts";
import { GATEWAY_URL, type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

const LISTS = [
  ["listUsers", "v1", "users"],
  ["listWorkersV2", "v2", "workers"],
] as const;
const COUNT = 2_500;
const LINK = new RegExp(`^<${GATEWAY_URL}(/[^>]+)>; rel="next"$`);

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let secret: string;
  let connectionId: string;
  let instanceId: string;

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
    instanceId = await workforce.instance();
    ({ secret, connectionId } = await workforce.integration(instanceId));
  });
  afterAll(() => gateway.stop());

  const populate = (tenantId: string, instants: readonly number[]) => crowd(workforce, tenantId, instants);

  const pathOf = (version: string, tenantId: string, list: string) =>
    `/${version}/instance-integrations/${connectionId}/clients/${tenantId}/${list}`;

  /** One page, and the path of the next. */
  const page = async (path: string, key = secret) => {
    gateway.takeCalls();
    const answer = await gateway.get(path, key);
    expect([answer.status, gateway.takeCalls().length]).toEqual([200, 1]);
    const link = answer.headers.get("link");
    const next = link === null ? undefined : LINK.exec(link)?.[1];
    expect([link, next === undefined]).toEqual([link, link === null]);
    return { ids: answer.json<{ id: string }[]>().map(({ id }) => id), next };
  };

  const allPages = async (path: string, between: () => Promise<void> = async () => undefined) => {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const got = await page(next);
      pages.push(got.ids);
      next = got.next;
      await between();
    }
    return pages;
  };

  describe.each(LISTS)("%s in pages (R-G9)", (_id, version, list) => {
    const nameOf = list === "users" ? "userId" : "workerId";
    let path: string;
    let tenantId: string;
    let ids: string[];

    beforeAll(async () => {
      tenantId = (await workforce.tenant(instanceId)).id;
      path = pathOf(version, tenantId, list);
      // Seven of one instant, so that pages end between entries of the same age.
      const made = await populate(
        tenantId,
        Array.from({ length: COUNT }, (__, index) => 1_000_000 + Math.floor(index / 7)),
      );
      ids = made.map((one) => one[nameOf]);
    });

    it("gives each entry once, in the order of the whole list", async () => {
      const whole = await page(path);
      expect(whole.next).toBeUndefined();
      expect(whole.ids.toSorted()).toEqual(ids.toSorted());
      const pages = await allPages(`${path}?limit=1000`);
      expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
      expect(pages.flat()).toEqual(whole.ids);
      expect((await allPages(`${path}?limit=500`)).flat()).toEqual(whole.ids);
    });

    it("ends without an empty page", async () => {
      expect((await allPages(`${path}?limit=625`)).map(({ length }) => length)).toEqual([625, 625, 625, 625]);
    });

    it("keeps the limit in the link, and accepts another one on the way", async () => {
      const first = await page(`${path}?limit=3`);
      expect(first.next).toMatch(/\?limit=3&cursor=[A-Za-z0-9_-]+$/);
      const second = await page((first.next ?? "").replace("limit=3", "limit=2"));
      const rest = await page((second.next ?? "").replace("limit=2&", ""));
      expect([...first.ids, ...second.ids, ...rest.ids]).toEqual((await page(path)).ids);
      expect(rest.next).toBeUndefined();
    });

    it("takes the next page with percent-encoded ids in its path and other parameters, like any address", async () => {
      const first = await page(`${path.replace("client_", "%63lient_")}?limit=3&x=1`);
      expect(first.next?.startsWith(`${path}?limit=3&cursor=`)).toBe(true);
      const encoded = (first.next ?? "").replace("client_", "%63lient_");
      expect((await page(`${encoded}&x=1`)).ids).toEqual((await page(first.next ?? "")).ids);
    });

    it("gives every old entry exactly once, while others are added at both ends and in between", async () => {
      let round = 0;
      const pages = await allPages(`${path}?limit=400`, async () => {
        round++;
        await populate(tenantId, [1, 1_000_000 + round * 40, 2_000_000 + round]);
      });
      const seen = pages.flat();
      expect(new Set(seen).size).toBe(seen.length);
      expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
    });

    it("continues at its place when the entry that a cursor names is gone", async () => {
      const { next, ids: first } = await page(`${path}?limit=2`);
      const last = first.at(-1);
      const gone = list === "users" ? "status = 'DELETED'" : "ended_at = 1";
      await workforce.raw(`update workforce_${list} set ${gone} where id = '${last}'`);
      const whole = (await page(path)).ids;
      expect((await page(next ?? "")).ids).toEqual(whole.slice(1, 3));
    });

    const refused = async (target: string, key = secret) => {
      gateway.takeCalls();
      const answer = await gateway.get(target, key);
      return { status: answer.status, calls: gateway.takeCalls(), errors: answer.json<{ errors: unknown }>().errors };
    };
    const cursorOf = async (from: string, key = secret) =>
      new URL((await page(`${from}?limit=1`, key)).next ?? "", GATEWAY_URL).searchParams.get("cursor") ?? "";

    it("refuses a cursor of another list, of another client and of another key (R-X39)", async () => {
      const [, otherVersion, otherList] = LISTS.find((one) => one[2] !== list) ?? LISTS[0];
      const sibling = (await workforce.tenant(instanceId)).id;
      await populate(sibling, [1, 2]);
      const { apiKeys } = await workforce.operator.listApiKeys({
        integrationId:
          (await workforce.operator.listIntegrations({ after: null })).integrations[0]?.integration?.id ?? "",
        after: null,
      });
      const request = { integrationId: apiKeys[0]?.integrationId ?? "", label: "second", rateLimit: null, scopes: [] };
      const { secret: second } = await workforce.operator.issueApiKey(request);
      const foreign = [
        await cursorOf(pathOf(otherVersion, tenantId, otherList)),
        await cursorOf(pathOf(version, sibling, list)),
        await cursorOf(path, second),
      ];
      for (const cursor of foreign) {
        expect(await refused(`${path}?cursor=${cursor}`)).toEqual({
          status: 400,
          calls: ["CheckCaller"],
          errors: [{ in: "query", name: "cursor", detail: expect.stringContaining("not one that this list gave") }],
        });
      }
      expect((await page(`${path}?limit=1&cursor=${await cursorOf(path)}`)).ids).toHaveLength(1);
    });

    it.each([
      ["limit", "limit=0"],
      ["limit", "limit=1001"],
      ["limit", "limit=-1"],
      ["limit", "limit=1.5"],
      ["limit", "limit="],
      ["limit", "limit=ten"],
      ["limit", "limit=1&limit=1"],
      ["limit", "limit=NaN"],
      ["limit", "limit=1e99"],
      ["limit", "limit=1e1"],
      ["limit", "limit=010"],
      ["limit", "limit=10.0"],
      ["limit", "limit=%2B10"],
      ["limit", "limit=+10"],
      ["limit", "limit=10%20"],
      ["limit", "limit=10%0A"],
      ["limit", "limit=0x10"],
      ["limit", "limit=-0"],
      ["limit", "limit=%D9%A1"],
      ["limit", "limit=true"],
      ["limit", "limit"],
      ["limit", `limit=${"9".repeat(1_000)}`],
      ["cursor", "cursor="],
      ["cursor", "cursor=eyJhIjoxfQ"],
      ["cursor", "cursor=%F0%9F%A5%90"],
      ["cursor", "cursor=x&cursor=x"],
      ["cursor", `cursor=${"A".repeat(513)}`],
    ])("answers 400 that names %s to ?%s, after the key (R-G2, R-G9)", async (name, query) => {
      expect(await refused(`${path}?${query}`)).toEqual({
        status: 400,
        calls: ["CheckCaller"],
        errors: [{ in: "query", name, detail: expect.any(String) }],
      });
      expect((await refused(`${path}?${query}`, `${secret.slice(0, -1)}_`)).status).toBe(401);
    });
  });

  it("names managers who are on other pages (R-G7)", async () => {
    const tenant = await workforce.tenant(instanceId);
    const owner = await workforce.user(tenant.id, "owner@pages.example", { roleName: "Owner", signedInBefore: true });
    const report = await workforce.user(tenant.id, "report@pages.example");
    const path = pathOf("v1", tenant.id, "users");
    const first = await page(`${path}?limit=1`);
    expect(first.ids).toEqual([owner.id]);
    const [second] = (await gateway.get(first.next ?? "", secret)).json<{ id: string; manager: { id: string } }[]>();
    expect([second?.id, second?.manager.id]).toEqual([report.id, owner.id]);
  });
});
