import type { IntegratorService } from "../../../generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { SecretKind } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { notFound } from "../../../src/runtime/basis/errors.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { Call, Implementation } from "../../../src/runtime/rpc/call.ts";
import { asIntegrator, type ScopedMethods } from "../../../src/webhooks/integrator/integrator-call.ts";

type Callers = Parameters<typeof asIntegrator>[0];

const SUBSCRIPTION = newId("subscription", systemRandom);
const CALL = { metadata: {}, requestId: "req-1", reply: () => undefined } as unknown as Call;

/** The methods, each of which finds nothing, and everything that workforce gets. */
function refusing() {
  const sent: unknown[] = [];
  const callers = {
    admitCaller: async (request: unknown) => {
      sent.push(request);
      return { integrationId: newId("integration", systemRandom), apiKeyId: "", apiKeyLabel: "one" };
    },
    noteRefusal: async (request: unknown) => {
      sent.push(request);
      return {};
    },
  } as unknown as Callers;
  const refuse = async () => {
    throw notFound("subscription_not_found", "There is none.");
  };
  const methods = new Proxy({}, { get: () => refuse }) as unknown as ScopedMethods;
  return { sent, methods: asIntegrator(callers, methods) as Implementation<typeof IntegratorService> };
}

describe("what workforce gets of a request for webhooks (R-X199)", () => {
  it("has the ids that the request names, and none of its secrets and addresses", async () => {
    const { sent, methods } = refusing();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    await expect(
      methods.rotateSecret(
        { subscriptionId: SUBSCRIPTION, kind: SecretKind.SYMMETRIC, overlapSeconds: 0, secret },
        CALL,
      ),
    ).rejects.toThrow("There is none.");
    const endpointUrl = "https://hooks.example/in/0123?key=4567";
    const update = { updateMask: [], eventTypes: [], tenantIds: [], extraHeaders: [], skipPing: false };
    await expect(
      methods.updateSubscription(
        { ...update, subscriptionId: SUBSCRIPTION, endpointUrl, description: "Orders of Lena" },
        CALL,
      ),
    ).rejects.toThrow("There is none.");
    expect(sent).toHaveLength(4);
    expect(sent.map((request) => (request as { ids: unknown }).ids)).toEqual(Array(4).fill([SUBSCRIPTION]));
  });
});
