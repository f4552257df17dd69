import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ConsentPolicy } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { Failure } from "../../src/runtime/basis/errors.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { startEdgeServer } from "../../src/runtime/http/edge-server.ts";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import type { Carrier } from "../../src/runtime/rpc/call.ts";
import { signOnEdge } from "../../src/sign-on/edge.ts";
import { webhooksEdge } from "../../src/webhooks/edge.ts";
import { gatewayEdge } from "../../src/workforce/edge.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import type { Closer } from "../support/scope.ts";
import { silentLog } from "../support/silent-log.ts";
import { applicationRequest, makeWorld, onboarding, present, type World } from "../support/world.ts";

/** The product as a whole, and its edge twice more: over services that fail, and over services that cannot be reached. */
export interface Installations {
  readonly gatehouse: Gatehouse;
  readonly urls: Readonly<Record<"whole" | "failing" | "unreachable", string>>;
  readonly world: World;
  readonly workerId: string;
  readonly unconfiguredId: string;
  /** Answers 500 to everything that is posted there. */
  readonly hookUrl: string;
  /** Applications by when they ask for consent. */
  readonly applications: Readonly<Record<"always" | "once" | "never", World>>;
}

type CloseLater = (closer: Closer) => void;

export async function openInstallations(closeLater: CloseLater): Promise<Installations> {
  const gatehouse = await openGatehouse(closeLater);
  const world = await makeWorld(gatehouse, { application: { consent: ConsentPolicy.ONCE } });
  const onboarded = await gatehouse.platform.onboardWorker(onboarding(world.tenantId, "tomas@harbour.example"));
  const { instance } = await gatehouse.platform.createInstance({ requestId: "", name: "North America" });
  const { instanceIntegration } = await gatehouse.workforce.connectIntegration({
    requestId: "",
    integrationId: world.integrationId,
    instanceId: present(instance).id,
    configured: false,
  });
  const withConsent = async (consent: ConsentPolicy): Promise<World> => {
    const created = await gatehouse.signOn.createApplication(applicationRequest(world.instanceId, { consent }));
    return { ...world, application: { id: present(created.application).id, secret: created.secret ?? "" } };
  };
  const hook = createServer((_, response) => void response.writeHead(500).end());
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  closeLater(async () => void hook.close());
  return {
    gatehouse,
    hookUrl: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/in`,
    urls: {
      whole: gatehouse.url,
      failing: await edgeOver(closeLater, new Failure("INTERNAL", "internal", "Something went wrong.")),
      unreachable: await edgeOver(
        closeLater,
        new Failure("UNAVAILABLE", "unavailable", "Services are not there.", { retryAfterSeconds: 2 }),
      ),
    },
    world,
    workerId: present(onboarded.worker).id,
    unconfiguredId: present(instanceIntegration).id,
    applications: {
      always: await withConsent(ConsentPolicy.ALWAYS),
      once: world,
      never: await withConsent(ConsentPolicy.NEVER),
    },
  };
}

/** The public listener over services of which every method fails so. */
async function edgeOver(closeLater: CloseLater, failure: Failure): Promise<string> {
  const fails = () => {
    const reply = Promise.reject(failure);
    reply.catch(() => undefined);
    // A method that answers with a stream fails at its first message.
    return Object.assign(reply, { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) });
  };
  const connect: Carrier["connect"] = (definition) =>
    Object.fromEntries(Object.keys(definition).map((method) => [method, fails])) as never;
  const issuer = "http://localhost:8080";
  const server = await startEdgeServer({
    host: "127.0.0.1",
    port: 0,
    areas: [
      signOnEdge({ connect, issuer, jwksMaxAgeSeconds: 60, log: silentLog }),
      gatewayEdge({ connect, gatewayUrl: issuer, version: "1.2.3", webhooks: webhooksEdge(connect) }),
    ],
    log: silentLog,
    metrics: createMetrics(),
    random: systemRandom,
  });
  closeLater(() => server.stop(0));
  return `http://127.0.0.1:${server.port}`;
}
