import { workforceMigrations } from "../../../src/workforce/services.ts";
import { eventually } from "../../support/eventually.ts";
import { openProxied } from "../../support/postgres-proxy.ts";
import { onPostgres } from "../../support/stores.ts";
import { refusal, there, workforceOver } from "../workforce-fixture.ts";

/** PostgreSQL commits the new key, and its answer never arrives: the connection is cut. */
onPostgres((open, closeLater) => {
  it("a key whose commit had no answer is made once, and its caller gets the secret (R-X333, R-G18)", async () => {
    const direct = await open([workforceMigrations]);
    const { proxy, store } = await openProxied(direct, closeLater, { connections: 1 });
    const { operator } = workforceOver({ ...direct, store });
    const { integration } = await operator.createIntegration({ requestId: "", name: "Payroll" });
    const integrationId = there(integration).id;
    const request = { integrationId, label: "first", rateLimit: null, scopes: [], requestId: "issue-1" };
    const made = async () => {
      const { apiKeys } = await workforceOver(direct).operator.listApiKeys({ integrationId, after: null });
      return apiKeys.map(({ id }) => id);
    };

    proxy.holdAnswerTo("COMMIT");
    const answer = operator.issueApiKey(request);
    await eventually(made, ({ length }) => length === 1);
    proxy.cut();
    proxy.pass();

    const { apiKey, secret } = await answer;
    expect([there(apiKey).id]).toEqual(await made());
    expect(await operator.findApiKey({ secret })).toEqual({ apiKey });
    // Another call with the same request id knows no secret, as ever.
    expect(await refusal(operator.issueApiKey(request))).toMatchObject({ reason: "api_key_issued" });
    expect(await made()).toHaveLength(1);
  });
});
