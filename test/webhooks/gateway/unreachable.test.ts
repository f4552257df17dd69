import { eachStore } from "../../support/stores.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";

eachStore((_, open) => {
  describe("of a subscription that nothing can reach (R-X346)", () => {
    let api: IntegratorApi;
    /** Paths of what there is: a subscription with an endpoint, a skipped delivery of it, a paused recovery. */
    let at: { readonly subscription: string; readonly delivery: string; readonly recovery: string };
    beforeEach(async () => {
      api = await openIntegratorApi(open);
      const id = await api.subscribe();
      const subscription = `${SUBSCRIPTIONS}/${id}`;
      await api.workforce.raw(
        `update webhooks_subscriptions set endpoint_url = 'https://hooks.example/in' where id = '${id}'`,
      );
      await api.mineOf("POST", `${subscription}/pause`);
      const { deliveryId } = await api.mineOf<{ deliveryId: string }>("POST", `${subscription}/test-events`, {
        type: "user.updated",
      });
      await api.mineOf("POST", `${subscription}/resume`);
      const from = new Date(api.clock.now().getTime() - 60_000).toISOString();
      api.clock.step(1_000);
      const started = await api.mineOf<{ id: string }>("POST", "/v1/webhooks/recoveries", { subscriptionId: id, from });
      const recovery = `/v1/webhooks/recoveries/${started.id}`;
      await api.mineOf("POST", `${recovery}/pause`);
      at = { subscription, delivery: `/v1/webhooks/deliveries/${deliveryId}`, recovery };
    });
    afterEach(() => api.gateway.stop());

    const connection = (state: "unconfigured" | "revoked") =>
      api.kit.tables
        .insertInto("webhooks_connections")
        .values({ instance_integration_id: api.mine.instanceIntegrationId, state, revision: 2 })
        .execute();
    const answerOf = async (method: string, path: string, json?: object) => {
      const answer = await api.ask(method, path, { secret: api.mine.secret, ...(json && { json }) });
      return answer.status < 300 ? answer.status : `${answer.status} ${answer.json<{ code: string }>().code}`;
    };
    const startOfRecovery = () => ({
      subscriptionId: at.subscription.slice(SUBSCRIPTIONS.length + 1),
      from: new Date(api.clock.now().getTime() - 60_000).toISOString(),
    });
    const answers = async () => ({
      feed: await answerOf("GET", `${at.subscription}/events`),
      ping: await answerOf("POST", `${at.subscription}/ping`),
      testEvent: await answerOf("POST", `${at.subscription}/test-events`, { type: "user.updated" }),
      testMessages: await answerOf("POST", `${at.subscription}/test-messages`, {
        messages: [{ type: "user.updated" }],
      }),
      pause: await answerOf("POST", `${at.subscription}/pause`),
      resume: await answerOf("POST", `${at.subscription}/resume`),
      enable: await answerOf("POST", `${at.subscription}/enable`),
      resend: await answerOf("POST", `${at.delivery}/resend`),
      resumeRecovery: await answerOf("POST", `${at.recovery}/resume`),
      cancelRecovery: await answerOf("POST", `${at.recovery}/cancel`),
      startRecovery: await answerOf("POST", "/v1/webhooks/recoveries", startOfRecovery()),
      show: await answerOf("GET", at.subscription),
    });

    it("each verb says that the instance integration is not configured, where that matters", async () => {
      await connection("unconfigured");
      const refused = "404 instance_integration_not_configured";
      expect(await answers()).toEqual({
        ...{ feed: refused, ping: refused, resend: refused, resumeRecovery: refused, startRecovery: refused },
        ...{ testMessages: refused },
        ...{ testEvent: 202, pause: 200, resume: 200, enable: 200, cancelRecovery: 200, show: 200 },
      });
    });

    it("each verb says so of a subscription that is paused, or has no endpoint, too", async () => {
      const pullOnly = `${SUBSCRIPTIONS}/${await api.subscribe()}`;
      await api.mineOf("POST", `${at.subscription}/pause`);
      await connection("unconfigured");
      const refused = "404 instance_integration_not_configured";
      expect({
        pullOnlyPing: await answerOf("POST", `${pullOnly}/ping`),
        ping: await answerOf("POST", `${at.subscription}/ping`),
        resend: await answerOf("POST", `${at.delivery}/resend`),
        resumeRecovery: await answerOf("POST", `${at.recovery}/resume`),
        startRecovery: await answerOf("POST", "/v1/webhooks/recoveries", startOfRecovery()),
      }).toEqual({
        pullOnlyPing: refused,
        ping: refused,
        resend: refused,
        resumeRecovery: refused,
        startRecovery: refused,
      });
    });

    it("each verb says that the instance integration is gone once it is revoked, where that matters", async () => {
      await connection("revoked");
      const refused = "404 instance_integration_not_found";
      expect(await answers()).toEqual({
        ...{ feed: refused, ping: refused, resend: refused, resumeRecovery: refused, startRecovery: refused },
        ...{ testMessages: refused },
        ...{ pause: refused, resume: refused, enable: refused },
        ...{ testEvent: 202, cancelRecovery: 200, show: 200 },
      });
    });

    it("that was deleted, a delivery is still shown, and cannot be sent again", async () => {
      await api.mineOf("DELETE", at.subscription);
      expect(await answerOf("GET", at.delivery)).toBe(200);
      expect(await answerOf("POST", `${at.delivery}/resend`)).toBe("404 subscription_not_found");
    });
  });
});
