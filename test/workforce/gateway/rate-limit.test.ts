import { Failure } from "../../../src/runtime/basis/errors.ts";
import { failureReply } from "../../../src/workforce/gateway/gateway-error.ts";
import { eachStore } from "../../support/stores.ts";
import { GATEWAY_URL, type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

const LIST = "/v1/instance-integrations";
const UNKNOWN = `${LIST}/installation_AAAAAAAAAAAAAAAAAAAAA/clients`;
const MALFORMED = `${LIST}/x/clients`;

eachStore((_, open) => {
  describe("the rate limit of a key (R-G12)", () => {
    let workforce: Workforce;
    let gateway: Gateway;
    let instanceId: string;

    beforeAll(async () => {
      workforce = await openWorkforce(open);
      gateway = await startGateway(workforce.registrations);
      instanceId = await workforce.instance("Europe");
    });
    afterAll(() => gateway.stop());

    const keyWith = async (perSecond: number, burst: number) =>
      (await workforce.limitedIntegration({ perSecond, burst }, instanceId)).secret;
    const rates = ({ headers }: { headers: Headers }) => [headers.get("ratelimit-policy"), headers.get("ratelimit")];

    it("answers 429 beyond the burst, says when to try again, and answers again then", async () => {
      const key = await keyWith(1, 2);
      expect([(await gateway.get(LIST, key)).status, (await gateway.get(LIST, key)).status]).toEqual([200, 200]);
      const refused = await gateway.get(LIST, key);
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(refused.headers.get("cache-control")).toBe("no-store");
      expect(refused.json()).toEqual({
        type: `${GATEWAY_URL}/problems/too-many-requests`,
        title: "Too many requests",
        status: 429,
        detail: "This API key has made too many requests.",
        code: "too_many_requests",
        message: "This API key has made too many requests.",
        requestId: refused.headers.get("x-request-id"),
      });
      workforce.clock.step(1_000);
      expect((await gateway.get(LIST, key)).status).toBe(200);
    });

    it("sends the state of the limit with every answer to a valid key (R-X59)", async () => {
      const key = await keyWith(2, 5);
      const { headers } = await gateway.get(LIST, key);
      const answers = [
        await gateway.get(LIST, key, { headers: { "if-none-match": headers.get("etag") ?? "" } }),
        await gateway.get(MALFORMED, key),
        await gateway.get(UNKNOWN, key),
        await gateway.get(LIST, key, { method: "HEAD" }),
        await gateway.get(LIST, key),
      ];
      const policy = '"key";q=5;w=3';
      expect([rates({ headers }), ...answers.map((one) => [one.status, ...rates(one)])]).toEqual([
        [policy, '"key";r=4;t=1'],
        [304, policy, '"key";r=3;t=1'],
        [400, policy, '"key";r=2;t=2'],
        [404, policy, '"key";r=1;t=2'],
        [200, policy, '"key";r=0;t=3'],
        [429, policy, '"key";r=0;t=3'],
      ]);
    });

    it("is checked before 400 and 404, and after 401, which uses up none of it (R-G2)", async () => {
      const key = await keyWith(1, 1);
      const { secret: revoked, apiKeyId } = await workforce.limitedIntegration({ perSecond: 1, burst: 1 });
      await workforce.operator.revokeApiKey({ apiKeyId });
      const bad = [await gateway.get(LIST, revoked), await gateway.get(LIST, revoked), await gateway.get(MALFORMED)];
      expect(bad.map((one) => [one.status, ...rates(one)])).toEqual(Array(3).fill([401, null, null]));
      expect((await gateway.get(MALFORMED, key)).status).toBe(400);
      const limited = [
        await gateway.get(MALFORMED, key),
        await gateway.get(UNKNOWN, key),
        await gateway.get(LIST, key),
      ];
      expect(limited.map(({ status }) => status)).toEqual([429, 429, 429]);
    });

    it("costs one call, of the method that reads or of CheckCaller (R-G15)", async () => {
      const key = await keyWith(1, 1);
      gateway.takeCalls();
      await gateway.get(LIST, key);
      await gateway.get(LIST, key);
      await gateway.get(MALFORMED, key);
      expect(gateway.takeCalls()).toEqual(["ListInstanceIntegrations", "ListInstanceIntegrations", "CheckCaller"]);
    });

    it("is off where it is 0, and then no header is sent (R-X59)", async () => {
      const key = await keyWith(0, 0);
      const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.get(LIST, key)));
      expect(answers.map((one) => [one.status, ...rates(one)])).toEqual(Array(20).fill([200, null, null]));
    });

    it("is the installation's for a key without its own", async () => {
      const { secret } = await workforce.integration(instanceId);
      expect(rates(await gateway.get(LIST, secret))).toEqual(['"key";q=100000;w=1', '"key";r=99999;t=1']);
    });
  });
});

describe("a failure with RESOURCE_EXHAUSTED (R-G12)", () => {
  const context = { gatewayUrl: GATEWAY_URL, requestId: "req_1" };
  const statusOf = (reason: string) => failureReply(new Failure("RESOURCE_EXHAUSTED", reason, "No."), context).status;

  it("is 429 for the limit of a key alone; a message that is too large is our fault", () => {
    expect([statusOf("rate_limited"), statusOf("message_too_large")]).toEqual([429, 500]);
  });
});
