import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { eachStore } from "../../support/stores.ts";
import { comparable } from "../../workforce/gateway/alike.ts";
import { badKeys } from "../../workforce/gateway/bad-keys.ts";
import {
  fillIds,
  type Ids,
  type PathOperation,
  unknownIds,
  WEBHOOKS_OPERATIONS,
} from "../../workforce/gateway/contract-paths.ts";
import { there } from "../../workforce/workforce-fixture.ts";
import { BODIES } from "./bodies.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const NOT_FOUND: Readonly<Record<string, string>> = {
  subscriptionId: "subscription_not_found",
  secretNumber: "secret_not_found",
  eventId: "event_not_found",
  deliveryId: "delivery_not_found",
  recoveryId: "recovery_not_found",
};

/** A number that no secret has, besides the ids. */
const unknownOf = (operation: PathOperation): Ids => ({ ...unknownIds(operation), secretNumber: "999" });
const methodsAt = (path: string) => WEBHOOKS_OPERATIONS.filter((one) => one.path === path).map(({ method }) => method);

eachStore((_, open) => {
  describe("the keys of an integrator (R-X296)", () => {
    let api: IntegratorApi;
    beforeAll(async () => {
      api = await openIntegratorApi(open);
    });
    afterAll(() => api.gateway.stop());

    const send = (operation: PathOperation, ids: Ids, secret?: string, more: object = {}) => {
      const json = BODIES[operation.id]?.(api.mine);
      return api.ask(operation.method, fillIds(operation.path, ids), {
        ...(secret !== undefined && { secret }),
        ...(json !== undefined && { json }),
        ...more,
      });
    };

    describe.each(WEBHOOKS_OPERATIONS.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
      const { path, method, positions } = operation;

      it("answers every bad key alike, whatever else is wrong (R-G2, R-G11)", async () => {
        const keys = await badKeys(api.workforce, api.mine.secret, api.mine.instanceId);
        const first = comparable(await send(operation, unknownOf(operation)));
        const wrong: unknown[] = [];
        for (const { label, headers } of keys) {
          const answers = [
            await send(operation, unknownOf(operation), undefined, { headers }),
            await api.ask(method, fillIds(path, unknownOf(operation)), {
              headers: { ...headers, "content-type": "text/x" },
            }),
          ];
          for (const answer of answers)
            if (JSON.stringify(comparable(answer)) !== JSON.stringify(first)) wrong.push([label, answer.text]);
        }
        expect(wrong).toEqual([]);
        expect(first).toMatchObject({ status: 401, text: expect.stringContaining('"unauthorized"') });
      });

      it("answers 403 to a key that only reads, and names the scope, before it looks at the request (R-X295)", async () => {
        const { secret } = await api.key(api.mine.integrationId, [ApiKeyScope.READ], "reader");
        const answers = [
          await send(operation, unknownOf(operation), secret),
          await api.ask(method, fillIds(path, Object.fromEntries(positions.map(({ name }) => [name, "x"]))), {
            secret,
          }),
        ];
        for (const answer of answers) {
          expect(answer.status).toBe(403);
          expect(answer.json()).toMatchObject({
            code: "scope_missing",
            detail: "This API key lacks the scope webhooks.",
          });
        }
        const requestId = there(answers[0]).headers.get("x-request-id") ?? "";
        expect(await api.workforce.operator.explainGatewayRefusal({ requestId })).toMatchObject({
          ...{ check: "scope.missing", apiKeyLabel: "reader" },
        });
      });

      it("answers what another integration has like what does not exist, and leaves a record (R-G3, R-X199)", async () => {
        const last = positions.at(-1);
        const theirs = await api.subscribe(api.theirs);
        const asked = unknownOf(operation);
        const unknown = await send(operation, asked, api.mine.secret);
        const foreign = await send(operation, { ...unknownOf(operation), subscriptionId: theirs }, api.mine.secret);
        const inPath = positions.length > 1 ? "subscription_not_found" : NOT_FOUND[last?.name ?? ""];
        // The one whose subscription is in its body.
        const expected = id === "startRecovery" ? "subscription_not_found" : (inPath ?? "");
        const codes = [unknown, foreign].map((answer) =>
          answer.status === 404 ? answer.json<{ code: string }>().code : "",
        );
        expect(codes).toEqual([expected, expected]);
        expect(expected === "" || comparable(unknown).text === comparable(foreign).text).toBe(true);
        const requestId = unknown.headers.get("x-request-id") ?? "";
        const explained = await api.workforce.operator.explainGatewayRefusal({ requestId }).catch(() => undefined);
        expect(explained?.check ?? "").toBe(expected);
        const idsInPath = positions.flatMap(({ name }) => (name === "secretNumber" ? [] : [asked[name]]));
        expect(explained?.ids ?? idsInPath).toEqual(expect.arrayContaining(idsInPath));
      });

      it("answers 400 to ids that are none, by name (R-G13)", async () => {
        const ids = Object.fromEntries(positions.map(({ name }) => [name, "nonsense"]));
        const answer = await send(operation, ids, api.mine.secret);
        const named = answer.status === 400 ? answer.json<{ errors: { name: string }[] }>().errors : [];
        expect(named.map(({ name }) => name).toSorted()).toEqual(positions.map(({ name }) => name).toSorted());
      });

      it("answers other methods with 405, and OPTIONS to everybody (R-X23, R-X64)", async () => {
        const methods = methodsAt(path);
        const allow = [...methods, "OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : [])].toSorted().join(", ");
        const target = fillIds(path, unknownOf(operation));
        const options = await api.ask("OPTIONS", target);
        expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
        const refused = await api.ask("PUT", target, { secret: api.mine.secret });
        expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
      });
    });

    it("share one limit with reads, and say what is left of it (R-G12)", async () => {
      const { secret } = await api.workforce.operator.issueApiKey({
        ...{ integrationId: api.mine.integrationId, label: "slow", rateLimit: { perSecond: 1, burst: 2 } },
        scopes: [ApiKeyScope.READ, ApiKeyScope.WEBHOOKS],
      });
      const first = await api.ask("GET", "/v1/webhooks/subscriptions", { secret });
      const second = await api.ask("GET", "/v1/instance-integrations", { secret });
      const third = await api.ask("GET", "/v1/webhooks/subscriptions", { secret });
      expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
      expect([first, third].map(({ headers }) => headers.get("ratelimit"))).toEqual([
        expect.stringMatching(/r=1;/),
        expect.stringMatching(/r=0;/),
      ]);
    });
  });
});
