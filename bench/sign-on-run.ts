import { startInstallation } from "../harness/installation.ts";
import { benchPasswords } from "./passwords.ts";
import { benchSignOn } from "./sign-on.ts";
import { peerSeries } from "./sign-on-peers.ts";
import type { SignOnSeries } from "./support/provider.ts";
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
const { rows, series } = await benchSignOn(installation, await benchWorld(peers), operations);
await peers.close();
await installation.stop();
const sqlite = await peerSeries("sqlite", operations);
const memory = await peerSeries("memory", operations);

console.log(`${machine()}; ${operations} operations a series, 16 under way\n`);
console.log(table(rows));

const OPERATIONS: readonly (readonly [string, keyof SignOnSeries])[] = [
  ["authorize, signed in", "authorize"],
  ["code → tokens", "redeem"],
  ["refresh", "refresh"],
  ["userinfo after the exchange", "userinfo"],
];
const lines = OPERATIONS.map(([what, key]) => {
  const ours = series[key].cpuMicroseconds;
  const beside = [sqlite, memory].flatMap((peer) => {
    const theirs = peer[key].cpuMicroseconds;
    return [theirs.toFixed(0), `${(ours / theirs).toFixed(2)} ×`];
  });
  return `| ${[what, ours.toFixed(0), ...beside].join(" | ")} |`;
});
console.log("\nCPU µs beside node-oidc-provider, which signs once where we sign twice:\n");
console.log("| operation | ours | its, SQLite with synchronous FULL | ratio | its, in memory | ratio |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
console.log(lines.join("\n"));

const sentences = await benchPasswords(
  Math.max(50, Math.round(operations / 25)),
  Math.max(200, Math.round(operations / 5)),
);
console.log(`\n${sentences.join("\n\n")}`);
