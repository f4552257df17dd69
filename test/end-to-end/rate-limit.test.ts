import { eventually } from "../support/eventually.ts";
import { type Carriage, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld } from "../support/world.ts";

describe.each<[Carriage]>([["in process"], ["socket"]])("the rate limit, calls carried %s (R-G12)", (carriage) => {
  withScope((closeLater) => {
    it("is the one of the settings: its burst at once, then 429 with turns, and again after the time given (R-X419)", async () => {
      const flags = { "gateway-rate-per-second": "1", "gateway-rate-burst": "3" };
      const gatehouse = await openGatehouse(closeLater, { carriage, flags });
      const { apiKey } = await makeWorld(gatehouse);
      const get = () => call(gatehouse.url, "/v1/instance-integrations", { headers: { "x-api-key": apiKey } });
      const answers = await Promise.all(Array.from({ length: 12 }, get));
      const good = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 429);
      expect(good.length).toBeGreaterThanOrEqual(3);
      expect(good.length + refused.length).toBe(12);
      expect(answers.map(({ headers }) => headers.get("ratelimit-policy"))).toEqual(Array(12).fill('"key";q=3;w=3'));
      const waits = refused.map(({ headers }) => Number(headers.get("retry-after")));
      const last = Math.max(...waits);
      expect(last).toBeGreaterThan(1);
      expect(new Set(waits)).toEqual(new Set(Array.from({ length: last }, (_, before) => before + 1)));
      expect((await eventually(get, ({ status }) => status === 200)).status).toBe(200);
    });
  });
});
