import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { startInstallation } from "../harness/installation.ts";
import { signedInProvider } from "./sign-on.ts";
import { addFamilies } from "./support/families.ts";
import { measure } from "./support/load.ts";
import { authorizeOnce, redeemOnce } from "./support/provider.ts";
import { machine } from "./support/table.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * Cost of a code exchange with a thousand and with a million token families in the store, and while a million expired
 * ones are swept. Usage: node bench/sign-on-growth.ts [operations per series [largest size]]
 */
const operations = Number(process.argv[2] ?? 3_000);
if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");
const SIZES = [1_000, Number(process.argv[3] ?? 1_000_000)];
/** Long enough ago for the sweep. */
const TEN_DAYS_MS = 10 * 24 * 60 * 60 * 1_000;
/** Numbers of a millisecond, as in src/sign-on/token-numbers/family-number.ts. */
const PER_MS = 2_048;

const first = await startInstallation(undefined, true);
const { directory } = first;
const store = join(directory, "gatehouse.sqlite");
const firstPeers = connectPeers(first.socketDirectory);
const world = await benchWorld(firstPeers);
const firstProvider = await signedInProvider(first, world);
await redeemOnce(firstProvider, await authorizeOnce(firstProvider));
await firstProvider.connections.close();
await firstPeers.close();
await first.stop();

console.log(`${machine()}; ${operations} exchanges a series, 16 under way\n`);
console.log("| token families in the store | code → tokens, CPU µs | p99 ms |\n| ---: | ---: | ---: |");
for (const size of SIZES) {
  addFamilies(store, size - countFamilies(), countFamilies());
  const { cpuMicroseconds, p99Ms } = await exchanges();
  console.log(`| ${size.toLocaleString("en")} | ${cpuMicroseconds.toFixed(0)} | ${p99Ms.toFixed(1)} |`);
}

expireAll();
const before = countFamilies();
const swept = await exchanges(async () => {
  const startedAt = performance.now();
  while (countFamilies() > before * 0.02) await sleep(500);
  return (performance.now() - startedAt) / 1_000;
});
console.log(
  `\nWhile ${before.toLocaleString("en")} expired families are swept: code → tokens ${swept.cpuMicroseconds.toFixed(0)} CPU µs (the sweep's own in it), ` +
    `p99 ${swept.p99Ms.toFixed(1)} ms. Swept after ${swept.meanwhile?.toFixed(0)} s; left: ${countFamilies()}.`,
);
rmSync(directory, { recursive: true, force: true });

/** Exchanges on the store as it is, by a new process. */
async function exchanges(meanwhile?: () => Promise<number>) {
  const installation = await startInstallation(directory, true);
  const provider = await signedInProvider(installation, world);
  const waiting = meanwhile?.();
  const codes: Awaited<ReturnType<typeof authorizeOnce>>[] = [];
  const warmUp = 1_000;
  for (let index = 0; index < operations + warmUp; index += 16)
    codes.push(...(await Promise.all(Array.from({ length: 16 }, () => authorizeOnce(provider)))));
  const run = async (index: number) => void (await redeemOnce(provider, codes[index]));
  const measured = await measure({ operations, concurrency: 16, warmUp, cpu: installation.cpu, run });
  const seconds = await waiting;
  await provider.connections.close();
  await installation.stop();
  return { ...measured, meanwhile: seconds };
}

function expireAll(): void {
  const db = new BetterSqlite3(store);
  db.pragma("synchronous = off");
  const ms = TEN_DAYS_MS * 30;
  db.prepare("update sign_on_families set number = number - ?, expires_at = expires_at - ?, ends_at = ends_at - ?").run(
    ms * PER_MS,
    ms,
    ms,
  );
  db.close();
}

function countFamilies(): number {
  const db = new BetterSqlite3(store, { readonly: true });
  const count = db.prepare("select count(*) from sign_on_families").pluck().get() as number;
  db.close();
  return count;
}
