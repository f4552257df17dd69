import { Failure } from "../../../src/runtime/basis/errors.ts";
import { eachStore } from "../../support/stores.ts";
import { FORBIDDEN_ENDPOINTS } from "../endpoints/forbidden-endpoints.ts";
import { update } from "../subscriptions/subscription-requests.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const PATH = "/v1/webhooks/subscriptions";
const STRICT = { "webhook-allow-http": "false", "webhook-allowed-networks": "" };

eachStore((_, open) => {
  describe("endpoints in evil spellings, the whole path (S44, S45, R-X340, W14)", () => {
    let api: IntegratorApi;
    beforeAll(async () => {
      api = await openIntegratorApi(open, STRICT);
    });
    afterAll(() => api.gateway.stop());

    const viaOperator = (asked: Promise<unknown>) =>
      asked.then(
        () => "accepted",
        (error: unknown) =>
          error instanceof Failure ? [error.code, error.violations.map(({ field }) => field)] : error,
      );
    const viaApi = async (method: string, path: string, json: object) => {
      const answer = await api.ask(method, path, { secret: api.mine.secret, json });
      const { errors = [] } = answer.json<{ errors?: readonly { in: string; name: string }[] }>();
      return [answer.status, errors.map((error) => `${error.in} ${error.name}`)];
    };
    const shown = () => api.mineOf<{ readonly data: readonly object[] }>("GET", PATH);

    it("names the setting that would allow it to the operator, and to an integration none (R-X424)", async () => {
      const { instanceIntegrationId } = api.mine;
      const fields = { instanceIntegrationId, endpointUrl: "http://hooks.example/in", eventTypes: ["*"] };
      const id = await api.subscribe();
      const reasons: unknown[] = [];
      for (const asked of [
        () => api.kit.operator.createSubscription({ ...fields, label: "plain", tenantIds: [] }),
        () => api.kit.subscriptions.updateSubscription(update(id, { endpointUrl: fields.endpointUrl })),
      ])
        reasons.push(await asked().catch((error: Failure) => error.violations.map(({ reason }) => reason)));
      expect(reasons).toEqual(Array(2).fill([expect.stringContaining("webhook-allow-http")]));
      const answers = [
        await api.ask("POST", PATH, { secret: api.mine.secret, json: fields }),
        await api.ask("PATCH", `${PATH}/${id}`, { secret: api.mine.secret, json: { endpointUrl: fields.endpointUrl } }),
      ];
      expect(answers.map((answer) => answer.json<{ errors: object[] }>().errors)).toEqual(
        Array(2).fill([{ in: "body", name: "/endpointUrl", detail: "must be https" }]),
      );
    });

    it("create: refused to operators and integrations, with the field, and nothing is made", async () => {
      const { instanceIntegrationId } = api.mine;
      const before = await shown();
      const wrong: unknown[] = [];
      for (const [kind, endpointUrl] of FORBIDDEN_ENDPOINTS) {
        const fields = { instanceIntegrationId, endpointUrl, eventTypes: ["*"] };
        const answers = [
          await viaOperator(api.kit.operator.createSubscription({ ...fields, label: "evil", tenantIds: [] })),
          await viaApi("POST", PATH, fields),
        ];
        if (JSON.stringify(answers) !== REFUSED) wrong.push([kind, endpointUrl, answers]);
      }
      expect(wrong).toEqual([]);
      expect(await shown()).toEqual(before);
    });

    it("update: refused to operators and integrations, with the field, and nothing is changed", async () => {
      const id = await api.subscribe(api.mine, { endpointUrl: "https://hooks.example/in" });
      const before = await shown();
      const wrong: unknown[] = [];
      for (const [kind, endpointUrl] of FORBIDDEN_ENDPOINTS) {
        const answers = [
          await viaOperator(api.kit.subscriptions.updateSubscription(update(id, { endpointUrl, description: "evil" }))),
          await viaApi("PATCH", `${PATH}/${id}`, { endpointUrl, description: "evil" }),
        ];
        if (JSON.stringify(answers) !== REFUSED) wrong.push([kind, endpointUrl, answers]);
      }
      expect(wrong).toEqual([]);
      expect(await shown()).toEqual(before);
    });
  });
});

const REFUSED = JSON.stringify([
  ["INVALID_ARGUMENT", ["endpoint_url"]],
  [400, ["body /endpointUrl"]],
]);
