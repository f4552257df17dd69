import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import BetterSqlite3 from "better-sqlite3";
import type { World } from "../support/world.ts";

/** The issuer of the stored installations; each runs at another port. */
export const ISSUER = "http://localhost:4711";

/** A browser that was in the middle of something. */
interface StoredBrowser {
  readonly path: string;
  readonly cookies: readonly (readonly [string, string])[];
}

/** What people, applications and integrators had of a stored installation, made by make-store.ts. */
export interface StoreNotes {
  /** When it was stopped. Tests run a program whose clock shows two minutes later. */
  readonly madeAt: string;
  readonly world: World;
  readonly workerEmail: string;
  readonly keyIds: readonly string[];
  readonly session: Omit<StoredBrowser, "path">;
  /** At the login page. */
  readonly interaction: StoredBrowser;
  /** At the question whether to sign out. */
  readonly logout: StoredBrowser;
  readonly personOfLink: string;
  readonly passwordLink: string;
  readonly accessToken: string;
  readonly revokedAccessToken: string;
  readonly refreshToken: string;
  /** Replaced by another one; its family is not that of `refreshToken`. */
  readonly rotatedRefreshToken: string;
  readonly unspentCode: string;
  readonly spentCode: string;
  readonly personId: string;
  /** Of the subscription with label marigold. */
  readonly signingSecret: string;
}

/** Of earlier programs: families without numbers, deliveries without a queue. A later program only empties them. */
const FORMER = [
  ...["sign_on_token_families", "sign_on_authorization_codes", "sign_on_refresh_tokens"],
  ...["webhooks_deliveries", "webhooks_bodies", "webhooks_attempts"],
];
/** Of PostgreSQL, of several processes, of long use, or of a moment. */
const ELSEWHERE = ["store_probes", "store_sizes", "workforce_rate_buckets", "webhooks_feed", "outbox_entries"];

interface StoreOfBefore {
  readonly name: string;
  /** Tables without a row in it. */
  readonly empty: readonly string[];
  /** Names of the tenants that its subscriptions hear of, once they were told of "Third Bakery" as well. */
  readonly received: readonly string[];
}

/** Stored installations, oldest first. */
export const STORES: readonly StoreOfBefore[] = [
  {
    name: "store-1",
    empty: ["store_probes", "workforce_rate_buckets"],
    received: ["Second Bakery", "Third Bakery", "Third Bakery"],
  },
  {
    name: "store-2",
    empty: [...ELSEWHERE, ...FORMER],
    received: ["Second Bakery", "Third Bakery", "Third Bakery", "Third Bakery"],
  },
];

/** The tables of a store, and how many rows each has. */
export function rowCounts(path: string): readonly { readonly name: string; readonly count: number }[] {
  const store = new BetterSqlite3(path, { readonly: true });
  try {
    const names = store
      .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all();
    const countOf = (name: string) => store.prepare<[], number>(`select count(*) from ${name}`).pluck().get() ?? 0;
    return names.map((name) => ({ name, count: countOf(name) }));
  } finally {
    store.close();
  }
}

const file = (name: string) => join(import.meta.dirname, name);

/** Unpacks a stored installation into a new data directory. */
export async function unpackStore(name: string, directory: string): Promise<StoreNotes> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, "gatehouse.sqlite"), gunzipSync(await readFile(file(`${name}.sqlite.gz`))), {
    mode: 0o600,
  });
  await writeFile(join(directory, "master.key"), await readFile(file(`${name}.master.key`)), { mode: 0o600 });
  return JSON.parse(await readFile(file(`${name}.json`), "utf8")) as StoreNotes;
}
