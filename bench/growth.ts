import { rmSync } from "node:fs";
import { startInstallation } from "../harness/installation.ts";
import { gatewayWorld } from "./gateway-world.ts";
import { addWorkers } from "./support/crowd.ts";
import { openConnections } from "./support/http.ts";
import { measure } from "./support/load.ts";
import { machine } from "./support/table.ts";

/**
 * Cost of reads while the store grows from a thousand workers to a million: the whole list of a small client, and one
 * page of the growing client. Usage: node bench/growth.ts [operations per series]
 */
const operations = Number(process.argv[2] ?? 5_000);
if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");
const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const LARGE = 0;

const world = await gatewayWorld([LARGE, 25]);
console.log(`${machine()}; ${operations} operations a series, 16 under way; CPU µs per operation\n`);
console.log(
  "| workers in the store | the 25 of a small client | a page of 25 of the large client |\n| ---: | ---: | ---: |",
);
let present = 0;
for (const size of SIZES) {
  addWorkers(world.directory, world.tenantId(LARGE), size - present, present);
  present = size;
  const installation = await startInstallation(world.directory, true);
  const connections = openConnections(installation.url, 16);
  const headers = { "x-api-key": world.apiKey };
  const costs: number[] = [];
  for (const path of [world.path(25), `${world.path(LARGE, "v2")}?limit=25`]) {
    const { cpuMicroseconds } = await measure({
      operations,
      concurrency: 16,
      warmUp: 5_000,
      cpu: installation.cpu,
      run: async () => void (await connections.send(200, path, { headers })),
    });
    costs.push(cpuMicroseconds);
  }
  console.log(`| ${[size.toLocaleString("en"), ...costs.map((cost) => cost.toFixed(0))].join(" | ")} |`);
  await connections.close();
  await installation.stop();
}
rmSync(world.directory, { recursive: true, force: true });
