import type { IntegratorService } from "../../../generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { SecretKind } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { invalidArgument, notFound } from "../../../src/runtime/basis/errors.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import type { Call, CallOptions, Implementation } from "../../../src/runtime/rpc/call.ts";
import { asIntegrator, type ScopedMethods } from "../../../src/webhooks/integrator/integrator-call.ts";

type Callers = Parameters<typeof asIntegrator>[0];

const SUBSCRIPTION = newId("subscription", systemRandom);
const CALL = { metadata: {}, requestId: "req-1", reply: () => undefined } as unknown as Call;

const RATE = { "rate-limit": "100 2 99 1" };

/** The methods, each of which refuses, and everything that workforce gets. */
function refusing(failure = notFound("subscription_not_found", "There is none.")) {
  const sent: unknown[] = [];
  const given: Pick<CallOptions, "metadata" | "requestId">[] = [];
  const callers = {
    admitCaller: async (request: unknown, { onMetadata, ...options }: CallOptions) => {
      sent.push(request);
      given.push(options);
      onMetadata?.(RATE);
      return { integrationId: newId("integration", systemRandom), apiKeyId: "", apiKeyLabel: "one" };
    },
    noteRefusal: async (request: unknown, options: CallOptions) => {
      sent.push(request);
      given.push(options);
      return {};
    },
  } as unknown as Callers;
  const refuse = async () => {
    throw failure;
  };
  const methods = new Proxy({}, { get: () => refuse }) as unknown as ScopedMethods;
  return { sent, given, methods: asIntegrator(callers, methods) as Implementation<typeof IntegratorService> };
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

  it("is the proof of the key, the trace and the request's id; what it says of the key's rate goes on", async () => {
    const { sent, given, methods } = refusing();
    const metadata = { "x-api-key-lookup": "a", "x-api-key-digest": "b", traceparent: "c" };
    const replied: unknown[] = [];
    const call = { ...CALL, metadata: { ...metadata, other: "d" }, reply: (more: unknown) => replied.push(more) };
    await expect(methods.getSubscription({ subscriptionId: SUBSCRIPTION }, call as unknown as Call)).rejects.toThrow();
    expect(given).toEqual([{ metadata, requestId: "req-1" }, { requestId: "req-1" }]);
    expect(replied).toEqual([RATE]);
    expect(sent).toMatchObject([{ operation: "getSubscription", again: false }, { check: "subscription_not_found" }]);
  });

  it("is no refusal that says something else than that nothing was found", async () => {
    const { sent, methods } = refusing(invalidArgument([]));
    await expect(methods.getSubscription({ subscriptionId: SUBSCRIPTION }, CALL)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });
});
