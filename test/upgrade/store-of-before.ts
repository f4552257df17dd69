import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
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
