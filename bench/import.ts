import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { BulkService } from "../generated/proto/gatehouse/workforce/v1/bulk.ts";
import type { Installation } from "../harness/installation.ts";
import { seedLines } from "../src/cli/seed/seed-lines.ts";
import { socketCarrier } from "../src/runtime/rpc/socket-client.ts";
import type { Row } from "./support/table.ts";

const MESSAGE_LINES = 250;
const PART_LINES = 5_000;

/**
 * Made-up people and workers through ImportWorkforce, one line for each row, compared with bare inserts into the same
 * tables.
 */
export async function benchImport(installation: Installation, lines: number): Promise<readonly Row[]> {
  const carrier = socketCarrier(join(installation.socketDirectory, "platform.sock"));
  const { importWorkforce } = carrier.connect(BulkService);
  const texts: string[] = [];
  for (const line of seedLines({ seed: "bench", tenants: 4, workers: Math.ceil(lines / 2) }))
    if (texts.push(JSON.stringify(line)) === lines) break;
  const sent = texts.map((json, index) => ({ number: index + 1, endOffset: index + 1, json }));
  const start = { importId: "bench", emitEvents: false, allOrNothing: false };
  const messages = async function* (part: typeof sent) {
    yield { start, lines: [] };
    for (let at = 0; at < part.length; at += MESSAGE_LINES)
      yield { start: null, lines: part.slice(at, at + MESSAGE_LINES) };
  };
  const cpuBefore = installation.cpu();
  const startedAt = performance.now();
  for (let at = 0; at < sent.length; at += PART_LINES)
    await importWorkforce(messages(sent.slice(at, at + PART_LINES)), { deadlineMs: 300_000 });
  const seconds = (performance.now() - startedAt) / 1000;
  await carrier.close();
  return [
    {
      what: `import, a line (${PART_LINES} a call)`,
      cpuMicroseconds: (installation.cpu() - cpuBefore) / sent.length,
      perSecond: sent.length / seconds,
      p50Ms: Number.NaN,
      p99Ms: Number.NaN,
      floor: { what: "bare inserts, 250 a commit", cpuMicroseconds: rawInserts(lines) },
    },
  ];
}

function rawInserts(rows: number): number {
  const output = execFileSync(process.execPath, ["bench/floors/raw-inserts.ts", String(rows), "250"], {
    encoding: "utf8",
  });
  return (JSON.parse(output.trim().split("\n").at(-1) ?? "") as { cpuMicroseconds: number }).cpuMicroseconds;
}
