import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { type FaultProxy, openFaultProxy } from "../../support/fault-proxy.ts";
import { freePort } from "../../support/free-port.ts";
import { TEST_MASTER_KEY, testFlags } from "../../support/gatehouse.ts";
import { postgresMissing } from "../../support/postgres-server.ts";
import type { Closer } from "../../support/scope.ts";
import type { MemberOptions } from "./fleet.ts";
import { openPostgresStore, type PostgresStore } from "./postgres-store.ts";
import { openVolume, type Volume } from "./volume.ts";

/** How the product is put together for a run. */
export interface Shape {
  readonly name: string;
  /** What the machine lacks for it. */
  missing(): string | undefined;
  open(closeLater: (closer: Closer) => void): Promise<OpenShape>;
}

export interface OpenShape {
  readonly urls: readonly string[];
  /** Directory of the sockets of each site. */
  readonly sockets: readonly string[];
  readonly members: readonly MemberOptions[];
  readonly volume: Volume;
  readonly postgres?: PostgresStore;
  readonly proxy?: FaultProxy;
  /** What is wrong with the store, after everything was stopped. */
  integrity(): Promise<readonly string[]>;
}

/** Deliveries that are over within seconds, and lines that say what went wrong. */
const SETTINGS = {
  "log-level": "warn",
  "webhook-attempt-delays": "300ms,600ms",
  "webhook-timeout-ms": "1000",
  "webhook-connect-timeout-ms": "500",
  "webhook-lease-ms": "2000",
};
const SQLITE_MIB = 256;
const POSTGRES_MIB = 1_024;

export const SHAPES: readonly Shape[] = [
  { name: "one process on the embedded store", missing: () => undefined, open: embedded },
  {
    name: "one process on PostgreSQL",
    missing: postgresMissing,
    open: (closeLater) => onPostgres(closeLater, 1, false),
  },
  {
    name: "two edges, two services and two workers on one PostgreSQL",
    missing: postgresMissing,
    open: (closeLater) => onPostgres(closeLater, 2, true),
  },
];

async function embedded(closeLater: (closer: Closer) => void): Promise<OpenShape> {
  const volume = openVolume(closeLater, SQLITE_MIB);
  const { directory } = volume;
  const port = await freePort();
  return {
    urls: [`http://localhost:${port}`],
    sockets: [join(directory, "sockets")],
    members: [{ site: 0, flags: (management) => ({ ...testFlags(port, management, directory), ...SETTINGS }) }],
    volume,
    integrity: async () => sqliteFaults(join(directory, "gatehouse.sqlite")),
  };
}

function sqliteFaults(file: string): readonly string[] {
  const store = new Sqlite(file);
  try {
    const verdicts = store.pragma("integrity_check") as readonly { readonly integrity_check: string }[];
    const broken = store.pragma("foreign_key_check") as readonly unknown[];
    return [
      ...verdicts.map((row) => row.integrity_check).filter((verdict) => verdict !== "ok"),
      ...broken.map((row) => `foreign key: ${JSON.stringify(row)}`),
    ];
  } finally {
    store.close();
  }
}

/** Each site has a directory of sockets, where its edge and its worker find its services; the sites share the database. */
async function onPostgres(closeLater: (closer: Closer) => void, sites: number, apart: boolean): Promise<OpenShape> {
  const volume = openVolume(closeLater, POSTGRES_MIB);
  const postgres = await openPostgresStore(closeLater, volume.directory);
  const proxy = await openFaultProxy(closeLater, { target: { path: postgres.socket } });
  const ports = await Promise.all(Array.from({ length: sites }, freePort));
  const directories = await Promise.all(ports.map(() => mkdtemp(join(tmpdir(), "gh-w-"))));
  for (const directory of directories) closeLater(() => rm(directory, { recursive: true, force: true }));
  const shared = {
    ...SETTINGS,
    issuer: `http://localhost:${ports[0]}`,
    "store-url": `postgresql://${postgres.user}@127.0.0.1:${proxy.port}/${postgres.database}`,
    "master-keys": TEST_MASTER_KEY,
  };
  const member = (site: number, role?: "services" | "worker" | "edge"): MemberOptions => ({
    site,
    ...(role === undefined ? {} : { role }),
    flags: (management) => ({ ...testFlags(ports[site] ?? 0, management, directories[site] ?? ""), ...shared }),
  });
  const ofSite = (site: number) =>
    apart ? (["services", "worker", "edge"] as const).map((role) => member(site, role)) : [member(site)];
  return {
    urls: ports.map((port) => `http://localhost:${port}`),
    sockets: directories.map((directory) => join(directory, "sockets")),
    members: ports.flatMap((_, site) => ofSite(site)),
    volume,
    postgres,
    proxy,
    integrity: () => postgres.integrity(),
  };
}
