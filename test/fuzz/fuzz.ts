import { randomInt } from "node:crypto";
import fc from "fast-check";
import { startInstallation } from "../../harness/installation.ts";
import { connectPeers } from "../support/world.ts";
import { type FuzzRequest, gatewayRequests, type Known, toBytes } from "./gateway-requests.ts";
import { makeFuzzWorld, withTags } from "./known.ts";
import { type RawConnection, rawConnection } from "./raw-connection.ts";
import { faultsOf } from "./verdict.ts";

/**
 * Sends made-up requests to the gateway of a new installation and checks every answer against the contract. The same
 * seed makes the same requests, except for ids and keys, which are new each time. Usage: node test/fuzz/fuzz.ts [requests]
 * [seed]; the exit code is 1 when an answer
 * was wrong, was missing, or took too long.
 */

const REQUESTS = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? randomInt(2 ** 31));
const CONNECTIONS = 8;
const BATCH = 500;
/** A longer answer time is a finding. */
const ANSWER_MS_MAX = 5_000;
const FINDINGS_MAX = 20;

interface Finding {
  readonly number: number;
  readonly request: FuzzRequest;
  readonly faults: readonly string[];
}

const statuses = new Map<number, number>();
const findings: Finding[] = [];
const latencies = new Float64Array(REQUESTS);
let answered = 0;

async function send(connection: RawConnection, known: Known, request: FuzzRequest, number: number): Promise<void> {
  const startedAt = performance.now();
  try {
    const answer = await connection.exchange(toBytes(request), request.method, ANSWER_MS_MAX);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const faults = faultsOf(request, answer, known);
    if (faults.length > 0) findings.push({ number, request, faults });
  } catch (error) {
    findings.push({ number, request, faults: [(error as Error).message] });
  }
  latencies[answered++] = performance.now() - startedAt;
}

async function run(port: number, known: Known): Promise<void> {
  const requests = gatewayRequests(known);
  const connections = Array.from({ length: CONNECTIONS }, () => rawConnection(port));
  for (let first = 0; first < REQUESTS && findings.length < FINDINGS_MAX; first += BATCH) {
    const batch = fc.sample(requests, { numRuns: Math.min(BATCH, REQUESTS - first), seed: SEED + first });
    let next = 0;
    const sender = async (connection: RawConnection) => {
      for (let at = next++; at < batch.length; at = next++)
        await send(connection, known, batch[at] as FuzzRequest, first + at);
    };
    await Promise.all(connections.map(sender));
    progress();
  }
  for (const connection of connections) connection.close();
}

function progress(): void {
  if (!process.stderr.isTTY && answered % (BATCH * 20) !== 0) return;
  const line = `${answered} of ${REQUESTS} answered, ${findings.length} findings`;
  process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
}

function report(seconds: number, before: number, after: number): void {
  const sorted = latencies.subarray(0, answered).toSorted();
  const percentile = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  const counts = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`);
  console.log(
    `\n${answered} requests in ${seconds.toFixed(0)} s (${(answered / seconds).toFixed(0)} a second), seed ${SEED}`,
  );
  console.log(`Answers by status: ${counts.join(", ")}`);
  console.log(
    `Milliseconds to an answer: median ${percentile(0.5)}, 99 % ${percentile(0.99)}, slowest ${percentile(1)}`,
  );
  console.log(`Resident memory: ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`);
  for (const { number, request, faults } of findings) {
    console.log(`\nFinding at request ${number}: ${faults.join("; ")}`);
    console.log(JSON.stringify(toBytes(request).toString("latin1")).slice(0, 4_000));
  }
  console.log(
    findings.length === 0
      ? "No findings."
      : `\n${findings.length} findings. Again: make fuzz REQUESTS=${REQUESTS} SEED=${SEED}`,
  );
}

const installation = await startInstallation();
const peers = connectPeers(installation.socketDirectory);
try {
  const known = await withTags(installation.url, await makeFuzzWorld(peers));
  const before = installation.residentMib();
  const startedAt = performance.now();
  await run(Number(new URL(installation.url).port), known);
  report((performance.now() - startedAt) / 1000, before, installation.residentMib());
} finally {
  await peers.close();
  await installation.stop();
}
process.exitCode = findings.length === 0 ? 0 : 1;
