import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import type { ApiKeyId } from "../../../src/runtime/basis/ids.ts";
import { apiKeyRepository } from "../../../src/workforce/integrations/api-key-repository.ts";
import { endedAtOnce } from "../../support/one-round.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce, withKey } from "../workforce-fixture.ts";

eachStore((_, open) => {
  describe("the last use of a key", () => {
    let workforce: Workforce;
    beforeEach(async () => {
      workforce = await openWorkforce(open);
    });

    const lastUses = async (integrationId: string) =>
      (await workforce.operator.listApiKeys({ integrationId, after: null })).apiKeys.map(
        ({ lastUsedAt }) => lastUsedAt,
      );
    const stop = () => endedAtOnce(workforce.loops);
    const use = (secret: string) => workforce.gateway.checkCaller({}, withKey(secret));

    it("is written when services stop; no request writes it", async () => {
      const { integrationId, secret } = await workforce.integration();
      await use(secret);
      expect(await lastUses(integrationId)).toEqual([null]);
      await stop();
      expect(await lastUses(integrationId)).toEqual([workforce.clock.now()]);
    });

    it("is that of the last accepted request: refused keys and requests beyond the limit do not count (R-X58)", async () => {
      const { integrationId, secret } = await workforce.limitedIntegration({ perSecond: 1, burst: 1 });
      await use(secret);
      const accepted = workforce.clock.now();
      workforce.clock.step(1);
      expect(await refusal(use(secret))).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "rate_limited" });
      workforce.clock.step(1_000);
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId, after: null });
      await workforce.operator.revokeApiKey({ apiKeyId: there(apiKeys[0]).id });
      expect(await refusal(use(secret))).toMatchObject({ code: "UNAUTHENTICATED" });
      await stop();
      expect(await lastUses(integrationId)).toEqual([accepted]);
    });

    it("is no request for which the key has no scope (R-X58, R-X295)", async () => {
      const { integrationId } = await workforce.integration();
      const { apiKey, secret } = await workforce.operator.issueApiKey({
        integrationId,
        label: "webhooks alone",
        rateLimit: null,
        scopes: [ApiKeyScope.WEBHOOKS],
      });
      expect(await refusal(use(secret))).toMatchObject({ code: "PERMISSION_DENIED", reason: "scope_missing" });
      await stop();
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId, after: null });
      expect(apiKeys.find(({ id }) => id === there(apiKey).id)?.lastUsedAt).toBeNull();
    });

    it("never goes back, and many keys take one statement", async () => {
      const [first, second] = [await workforce.integration(), await workforce.integration()];
      const apiKeys = apiKeyRepository(workforce.db);
      const [earlier, later] = [new Date(1_000), new Date(2_000)];
      const ids = [first.apiKeyId, second.apiKeyId] as ApiKeyId[];
      await apiKeys.recordUses(new Map(ids.map((id) => [id, id === ids[0] ? later : earlier])));
      await apiKeys.recordUses(new Map(ids.map((id) => [id, id === ids[0] ? earlier : later])));
      expect([...(await lastUses(first.integrationId)), ...(await lastUses(second.integrationId))]).toEqual([
        later,
        later,
      ]);
    });
  });
});
