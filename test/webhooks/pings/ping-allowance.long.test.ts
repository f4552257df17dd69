import type { IntegrationId } from "../../../src/runtime/basis/ids.ts";
import { PINGS_PER_MINUTE, pingAllowance } from "../../../src/webhooks/pings/ping-allowance.ts";
import { integrationScope, operatorScope } from "../../../src/webhooks/subscriptions/scope.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import type { Answer } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { type IntegratorApi, openIntegratorApi } from "../gateway/integrator-kit.ts";

const PATH = "/v1/webhooks/subscriptions";
const CALL = { deadlineMs: 20_000 };

eachStore((_, open) => {
  describe("pings to an endpoint that never agrees (R-X344)", () => {
    withScope((closeLater) => {
      let api: IntegratorApi;
      let receiver: WebhookReceiver;
      let id: string;
      beforeEach(async () => {
        receiver = await startWebhookReceiver({ answer: { status: 403 } });
        closeLater(() => receiver.stop());
        api = await openIntegratorApi(open, { "webhook-allowed-networks": "127.0.0.1/32" });
        closeLater(() => api.gateway.stop());
        const running = api.kit.run();
        closeLater(() => running.stop());
        id = await api.subscribe(api.mine, { endpointUrl: receiver.url });
        await receiver.next();
        // Its outcome is of now: a minute later it would be that of a slow endpoint, or none at all.
        await eventually(
          () => api.kit.deliveries(),
          (all) => all.every(({ attempts }) => attempts.length > 0 && !attempts.includes("in_flight")),
        );
        // The ping of the creation is of the minute before.
        api.clock.step(60_000);
      });

      const ask = (method: string, path: string, json?: object): Promise<Answer> =>
        api.ask(method, path, { secret: api.mine.secret, ...(json && { json }) });
      const secondsLeft = () => Math.ceil((60_000 - (api.clock.now().getTime() % 60_000)) / 1_000);
      const disable = () =>
        api.workforce.raw(
          `update webhooks_subscriptions set state = 'disabled', phase = null, state_reason = 'gone' where id = '${id}'`,
        );
      const state = async () => (await api.mineOf<{ readonly state: string }>("GET", `${PATH}/${id}`)).state;

      /** Each way to a ping, the nth time. */
      const WAYS: Readonly<Record<string, (nth: number) => Promise<Answer>>> = {
        ping: () => ask("POST", `${PATH}/${id}/ping`),
        create: () =>
          ask("POST", PATH, {
            instanceIntegrationId: api.mine.instanceIntegrationId,
            endpointUrl: receiver.url,
            eventTypes: ["*"],
          }),
        "change of the endpoint": (nth) => ask("PATCH", `${PATH}/${id}`, { endpointUrl: `${receiver.url}?${nth}` }),
        resume: async () => {
          await ask("POST", `${PATH}/${id}/pause`);
          return ask("POST", `${PATH}/${id}/resume`);
        },
        enable: async () => {
          await disable();
          return ask("POST", `${PATH}/${id}/enable`);
        },
      };

      it.each(Object.keys(WAYS))("are ten a minute for an integration, by %s", async (way) => {
        const send = WAYS[way] as (typeof WAYS)[string];
        for (let nth = 0; nth < PINGS_PER_MINUTE; nth++) {
          expect((await send(nth)).status).toBeLessThan(300);
          await receiver.next();
        }
        const made = (await api.kit.deliveries()).length;
        const refused = await send(PINGS_PER_MINUTE);
        expect([refused.status, refused.json<{ code: string }>().code]).toEqual([429, "too_many_requests"]);
        expect(refused.headers.get("retry-after")).toBe(String(secondsLeft()));
        expect(await api.kit.deliveries()).toHaveLength(made);
        api.clock.step(secondsLeft() * 1_000);
        expect((await send(PINGS_PER_MINUTE + 1)).status).toBeLessThan(300);
        await receiver.next();
      });

      it("are counted together, and a refused change changes nothing", async () => {
        for (let nth = 0; nth < PINGS_PER_MINUTE; nth++) await WAYS.ping?.(nth);
        await ask("POST", `${PATH}/${id}/pause`);
        const before = await api.mineOf("GET", PATH);
        const answers = [await WAYS.create?.(0), await WAYS["change of the endpoint"]?.(0), await WAYS.resume?.(0)];
        expect(answers.map((answer) => answer?.status)).toEqual([429, 429, 429]);
        expect(await api.mineOf("GET", PATH)).toEqual(before);
        expect(await state()).toBe("paused");
      });

      it("are not limited for operators, and one integration takes nothing from another", async () => {
        for (let nth = 0; nth <= PINGS_PER_MINUTE; nth++) await WAYS.ping?.(nth);
        const byOperator = await api.kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 10_000 }, CALL);
        expect(byOperator.ping?.attempts).toMatchObject([{ httpStatus: 403 }]);
        await expect(api.subscribe(api.theirs, { endpointUrl: receiver.url })).resolves.toMatch(/^subscription_/);
      });
    });
  });
});

describe("the allowance of pings (R-X344)", () => {
  it("counts each integration for itself and operators never, and forgets a minute that has passed", () => {
    const clock = standingClock(new Date("2026-06-30T08:15:59.001Z"));
    const count = pingAllowance(clock);
    const [one, other] = ["a", "b"].map((id) => integrationScope(id as IntegrationId, "key")) as [never, never];
    for (let nth = 0; nth < PINGS_PER_MINUTE; nth++) count(one);
    expect(() => count(one)).toThrow(
      expect.objectContaining({ code: "RESOURCE_EXHAUSTED", reason: "too_many_pings", retryAfterSeconds: 1 }),
    );
    expect(() => count(other)).not.toThrow();
    for (let nth = 0; nth <= PINGS_PER_MINUTE; nth++) count(operatorScope({ actor: "operator" }));
    clock.step(999);
    expect(() => count(one)).not.toThrow();
  });
});
