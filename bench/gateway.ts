import { openConnections } from "./support/http.ts";
import type { Installation } from "./support/installation.ts";
import { measure } from "./support/load.ts";
import { cpuMicroseconds } from "./support/process-cost.ts";
import { startBenchProgram } from "./support/program.ts";
import type { Row } from "./support/table.ts";
import { onboarding, type Peers, type World } from "./support/world.ts";

const CONCURRENCY = 16;
const ROWS = 25;

/** GET …/workers with 25 rows, beside bare HTTP that answers with as many bytes. */
export async function benchGateway(
  installation: Installation,
  peers: Peers,
  world: World,
  operations: number,
): Promise<readonly Row[]> {
  for (let row = 0; row < ROWS; row++) {
    const address = {
      address1: `${row} Mill Lane`,
      address2: null,
      city: "Rotterdam",
      isoCountryCode: "NL",
      postalCode: "3011 AB",
      zoneCode: null,
    };
    await peers.platform.onboardWorker(
      onboarding(world.tenantId, `worker-${row}@harbour.example`, { jobTitles: ["Baker"], address }),
    );
  }
  const connections = openConnections(installation.url, CONCURRENCY);
  const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients/${world.tenantId}/workers`;
  const headers = { "x-api-key": world.apiKey };
  const { text } = await connections.send(200, path, { headers });
  const workers = await measure({
    operations,
    concurrency: CONCURRENCY,
    warmUp: 1_000,
    cpu: installation.cpu,
    run: async () => void (await connections.send(200, path, { headers })),
  });
  await connections.close();
  return [
    {
      what: `GET …/workers, ${ROWS} rows`,
      ...workers,
      floor: { what: "bare HTTP, same bytes", cpuMicroseconds: await bareHttp(text.length, operations) },
    },
  ];
}

async function bareHttp(bytes: number, operations: number): Promise<number> {
  const program = await startBenchProgram(["bench/floors/bare-http.ts", String(bytes)]);
  const connections = openConnections(`http://127.0.0.1:${program.firstLine}`, CONCURRENCY);
  const { cpuMicroseconds: cost } = await measure({
    operations,
    concurrency: CONCURRENCY,
    warmUp: 1_000,
    cpu: () => cpuMicroseconds(program.pid),
    run: async () => void (await connections.send(200, "/")),
  });
  await connections.close();
  await program.stop();
  return cost;
}
