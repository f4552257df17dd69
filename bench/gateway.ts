import { rmSync } from "node:fs";
import { startInstallation } from "../harness/installation.ts";
import { cpuMicroseconds } from "../harness/process-cost.ts";
import { systemRandom } from "../src/runtime/basis/random.ts";
import { newApiKey } from "../src/workforce/integrations/api-key.ts";
import { type GatewayWorld, gatewayWorld } from "./gateway-world.ts";
import { readSlowly } from "./slow-readers.ts";
import { attempted } from "./support/attempted.ts";
import { type Connections, openConnections } from "./support/http.ts";
import { type LoadOptions, measure, WARM_UP } from "./support/load.ts";
import { startBenchProgram } from "./support/program.ts";
import type { Row } from "./support/table.ts";

const CONCURRENCY = 16;
/** So many of the longest lists at once would take longer on a slow machine than a call may. */
const FEW = 4;
/** Rows of the lists, which part of the operations is spent on each, and how many are under way at once. */
const SIZES = [
  [1, 1, CONCURRENCY],
  [25, 1, CONCURRENCY],
  [1_000, 1 / 20, CONCURRENCY],
  [50_000, 1 / 500, FEW],
] as const;
/** CPU time is counted in hundredths of a second. */
const FLOOR_OPERATIONS_MIN = 500;

interface Series {
  readonly what: string;
  readonly status: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly operations: number;
  /** Operations under way at once. */
  readonly concurrency: number;
}

/**
 * GET …/workers with lists of several lengths, unchanged and with an unknown key, with all roles in one process and with edge and services
 * apart; each compared with bare HTTP that answers with as many bytes. A series that fails has no row.
 */
export async function benchGateway(
  operations: number,
): Promise<{ readonly rows: readonly Row[]; readonly notes: string }> {
  const world = await gatewayWorld(SIZES.map(([size]) => size));
  const rows: Row[] = [];
  const floors = new Map<number, number>();
  let notes = "";
  for (const apart of [false, true]) {
    const installation = await startInstallation(world.directory, true, { apart });
    const connections = openConnections(installation.url, CONCURRENCY);
    for (const series of await seriesOf(connections, world, operations)) {
      const { status, path, headers, concurrency } = series;
      const what = `${series.what}${apart ? ", edge and services apart" : ""}`;
      const row = await attempted(what, async () => {
        const send = () => connections.send(status, path, { headers });
        const { length } = Buffer.from((await send()).text);
        const warmUp = Math.ceil((WARM_UP * series.operations) / operations);
        const load = { concurrency, warmUp };
        const run = async () => void (await send());
        const measured = await measure({ ...load, operations: series.operations, cpu: installation.cpu, run });
        const floorOperations = Math.max(FLOOR_OPERATIONS_MIN, series.operations);
        const floor = floors.get(length) ?? (await bareHttp(length, { ...load, operations: floorOperations }));
        floors.set(length, floor);
        return { what, ...measured, floor: { what: "bare HTTP, same bytes", cpuMicroseconds: floor } };
      });
      if (row !== undefined) rows.push(row);
    }
    await connections.close();
    if (apart) notes = await readSlowly(installation, world);
    await installation.stop();
  }
  rmSync(world.directory, { recursive: true, force: true });
  return { rows, notes };
}

async function seriesOf(
  connections: Connections,
  { path, apiKey }: GatewayWorld,
  operations: number,
): Promise<readonly Series[]> {
  const key = { "x-api-key": apiKey };
  const { headers } = await connections.send(200, path(25), { headers: key });
  const lists = SIZES.map(([size, part, concurrency]) => ({
    what: `GET …/workers, ${size.toLocaleString("en")} ${size === 1 ? "row" : "rows"}${concurrency === CONCURRENCY ? "" : `, ${concurrency} at once`}`,
    status: 200,
    path: path(size),
    headers: key,
    operations: Math.max(10, Math.round(operations * part)),
    concurrency,
  }));
  const short = { path: path(25), operations, concurrency: CONCURRENCY };
  return [
    ...lists,
    { ...short, what: "the same, 25 rows, br", status: 200, headers: { ...key, "accept-encoding": "br" } },
    { ...short, what: "the same, 25 rows, gzip", status: 200, headers: { ...key, "accept-encoding": "gzip" } },
    { ...short, what: "unchanged (304)", status: 304, headers: { ...key, "if-none-match": String(headers.etag) } },
    { ...short, what: "unknown key (401)", status: 401, headers: { "x-api-key": newApiKey(systemRandom) } },
  ];
}

/** Cost of answering with ready bytes, in a program of a few lines. */
async function bareHttp(
  bytes: number,
  load: Pick<LoadOptions, "operations" | "concurrency" | "warmUp">,
): Promise<number> {
  const program = await startBenchProgram(["bench/floors/bare-http.ts", String(bytes)]);
  const connections = openConnections(`http://127.0.0.1:${program.firstLine}`, load.concurrency);
  const { cpuMicroseconds: cost } = await measure({
    ...load,
    cpu: () => cpuMicroseconds(program.pid),
    run: async () => void (await connections.send(200, "/")),
  });
  await connections.close();
  await program.stop();
  return cost;
}
