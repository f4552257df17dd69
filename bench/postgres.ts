import { randomBytes } from "node:crypto";
import { startInstallation } from "../harness/installation.ts";
import { cpuMicroseconds } from "../harness/process-cost.ts";
import { postgresMissing, startPostgres } from "../test/support/postgres-server.ts";
import { openConnections } from "./support/http.ts";
import { type Measured, measure, WARM_UP } from "./support/load.ts";
import { startBenchProgram } from "./support/program.ts";
import type { Row } from "./support/table.ts";
import { benchWorld, connectPeers, onboarding } from "./support/world.ts";

const CONCURRENCY = 16;
const ROWS = 25;

/**
 * GET …/workers on PostgreSQL, compared with a handler written by hand with Fastify and pg that answers with the same
 * bytes from the same rows.
 * CPU of the Node processes; the database's own is about the same for both. Returns no rows where PostgreSQL is not
 * installed.
 */
export async function benchPostgres(operations: number): Promise<readonly Row[]> {
  if (postgresMissing() !== undefined) return [];
  const server = await startPostgres();
  const storeUrl = `postgresql://gatehouse@${encodeURIComponent(server.directory)}/postgres`;
  const settings = { "store-url": storeUrl, "master-keys": randomBytes(32).toString("base64") };
  const installation = await startInstallation(undefined, false, { settings });
  const peers = connectPeers(installation.socketDirectory);
  const world = await benchWorld(peers);
  for (let row = 0; row < ROWS; row++) {
    const address = { address1: `${row} Mill Lane`, city: "Rotterdam", isoCountryCode: "NL", postalCode: "3011 AB" };
    await peers.platform.onboardWorker(
      onboarding(world.tenantId, `worker-${row}@harbour.example`, { jobTitles: ["Baker"], address }),
    );
  }
  const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients/${world.tenantId}/workers`;
  const read = async (origin: string, cpu: () => number): Promise<Measured & { readonly text: string }> => {
    const connections = openConnections(origin, CONCURRENCY);
    const send = () => connections.send(200, path, { headers: { "x-api-key": world.apiKey } });
    const { text } = await send();
    const run = async () => void (await send());
    const measured = await measure({ operations, concurrency: CONCURRENCY, warmUp: WARM_UP, cpu, run });
    await connections.close();
    return { ...measured, text };
  };
  const ours = await read(installation.url, installation.cpu);
  const program = await startBenchProgram(["bench/floors/fastify-pg.ts", storeUrl]);
  const byHand = await read(`http://127.0.0.1:${program.firstLine}`, () => cpuMicroseconds(program.pid));
  await program.stop();
  await peers.close();
  await installation.stop();
  await server.stop();
  if (byHand.text !== ours.text) throw new Error("The handler written by hand answers something else.");
  const floor = { what: "Fastify + pg by hand", cpuMicroseconds: byHand.cpuMicroseconds };
  return [{ what: `GET …/workers, ${ROWS} rows, PostgreSQL`, ...ours, floor }];
}
