import { startInstallation } from "../harness/installation.ts";
import { benchPasswords } from "./passwords.ts";
import { benchSignOn } from "./sign-on.ts";
import { peerSeries } from "./sign-on-peers.ts";
import type { OfSignOn } from "./support/provider.ts";
import { machine, table } from "./support/table.ts";
import { benchWorld, connectPeers } from "./support/world.ts";

/**
 * Sign-on, compared with its floors and with node-oidc-provider under the same load in the same run; sign-ins by
 * password, alone and as a flood.
 * Usage: node bench/sign-on-run.ts [operations per series]
 */
const operations = Number(process.argv[2] ?? 5_000);
if (process.platform !== "linux") throw new Error("The benchmarks read CPU times from /proc and run on Linux only.");

const installation = await startInstallation();
const peers = connectPeers(installation.socketDirectory);
const { rows, series, floors } = await benchSignOn(installation, await benchWorld(peers), operations);
await peers.close();
await installation.stop();
const sqlite = await peerSeries("sqlite", operations);
const memory = await peerSeries("memory", operations);

const OPERATIONS: readonly (readonly [string, keyof OfSignOn<unknown>])[] = [
  ["authorize, signed in", "authorize"],
  ["code → tokens", "redeem"],
  ["refresh", "refresh"],
  ["userinfo after the exchange", "userinfo"],
];
const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)} ×`;
const lines = (cellsOf: (key: keyof OfSignOn<unknown>) => readonly string[]): string =>
  OPERATIONS.map(([what, key]) => `| ${[what, ...cellsOf(key)].join(" | ")} |`).join("\n");

console.log(`${machine()}; ${operations} operations a series, 16 under way\n`);
console.log(table(rows));

console.log("\nCPU µs beside node-oidc-provider, which signs once where we sign twice:\n");
console.log("| operation | ours | its, SQLite with synchronous FULL | ratio | its, in memory | ratio |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
console.log(
  lines((key) => {
    const ours = series.many[key].cpuMicroseconds;
    const beside = [sqlite, memory].flatMap(({ many }) => {
      const theirs = many[key].cpuMicroseconds;
      return [theirs.toFixed(0), ratio(ours, theirs)];
    });
    return [ours.toFixed(0), ...beside];
  }),
);

console.log("\nOne caller at a time, p50 of the time that it waits, in ms:\n");
console.log("| operation | ours, p50, p99 | CPU µs | floor | ratio | peer, SQLite | ratio | peer, in memory | ratio |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
console.log(
  lines((key) => {
    const { p50Ms, p99Ms, cpuMicroseconds } = series.one[key];
    const beside = [floors[key].one, sqlite.one[key], memory.one[key]].flatMap((theirs) => [
      theirs.p50Ms.toFixed(2),
      ratio(p50Ms, theirs.p50Ms),
    ]);
    return [`${p50Ms.toFixed(2)}, ${p99Ms.toFixed(2)}`, cpuMicroseconds.toFixed(0), ...beside];
  }),
);

const sentences = await benchPasswords(
  Math.max(50, Math.round(operations / 25)),
  Math.max(200, Math.round(operations / 5)),
);
console.log(`\n${sentences.join("\n\n")}`);
