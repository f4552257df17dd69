import { access, type ServiceName } from "../src/access.ts";
import { PEERS, type Peer } from "../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../src/runtime/rpc/in-process.ts";
import { accessInterceptor } from "../src/runtime/rpc/interceptors.ts";

const identity = {
  serialize: (value: unknown) => Buffer.from(JSON.stringify(value)),
  deserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown,
};

/** A service with one method, named like the real one. */
const definitionOf = (service: ServiceName) => ({
  ask: {
    path: `/${service}/Ask`,
    requestStream: false,
    responseStream: false,
    requestSerialize: identity.serialize,
    requestDeserialize: identity.deserialize,
    responseSerialize: identity.serialize,
    responseDeserialize: identity.deserialize,
  },
});

/** What each peer may call, written out once more: a change of the table must be meant. */
const EXPECTED: Readonly<Record<Peer, readonly ServiceName[]>> = {
  edge: [
    "gatehouse.sign_on.v1.Account",
    "gatehouse.sign_on.v1.Browser",
    "gatehouse.sign_on.v1.Passwords",
    "gatehouse.sign_on.v1.Logout",
    "gatehouse.sign_on.v1.Tokens",
    "gatehouse.sign_on.v1.Refusals",
    "gatehouse.workforce.v1.Gateway",
    "gatehouse.webhooks.v1.PublicKeys",
    "gatehouse.webhooks.v1.Integrator",
  ],
  worker: ["gatehouse.sign_on.v1.Expiry", "gatehouse.webhooks.v1.Dispatch"],
  operator: [
    "gatehouse.sign_on.v1.Operator",
    "gatehouse.sign_on.v1.SigningKeys",
    "gatehouse.sign_on.v1.People",
    "gatehouse.sign_on.v1.Inspection",
    "gatehouse.audit.v1.Audit",
    "gatehouse.store.v1.Store",
    "gatehouse.workforce.v1.Operator",
    "gatehouse.webhooks.v1.Operator",
    "gatehouse.webhooks.v1.Subscriptions",
    "gatehouse.webhooks.v1.Events",
    "gatehouse.webhooks.v1.TestEvents",
  ],
  platform: [
    "gatehouse.sign_on.v1.People",
    "gatehouse.workforce.v1.Platform",
    "gatehouse.workforce.v1.Bulk",
    "gatehouse.workforce.v1.Erasure",
  ],
  services: ["gatehouse.workforce.v1.SignIn", "gatehouse.workforce.v1.Connections", "gatehouse.workforce.v1.Callers"],
};

const CASES = (Object.keys(access) as ServiceName[]).flatMap((service) =>
  PEERS.map((peer) => [service, peer, EXPECTED[peer].includes(service) ? "answers" : "is forbidden"] as const),
);

describe("access.ts: every gRPC service × every peer (R-D4, S52)", () => {
  it.each(CASES)("%s called by %s %s", async (service, peer, expected) => {
    const definition = definitionOf(service);
    const registrations = [{ definition, methods: { ask: async () => "answers" } }];
    const carrier = inProcessCarrier({ peer, registrations, interceptors: [accessInterceptor(access)] });
    const ask = carrier.connect(definition).ask as (request: unknown) => Promise<unknown>;
    const answer = await ask({}).catch((error: { reason: string }) =>
      error.reason === "forbidden_peer" ? "is forbidden" : error,
    );
    expect(answer).toBe(expected);
  });
});
