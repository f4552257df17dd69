import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { parseMasterKeys } from "../../src/runtime/sealing/master-key.ts";
import { createSealer } from "../../src/runtime/sealing/sealing.ts";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { newStoreFolder } from "../support/memory.ts";
import { MAIN, openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { ISSUER, unpackStore } from "./store-of-before.ts";

const newKey = () => randomBytes(32).toString("base64");

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the store in a process of its own. */
const store = (...words: readonly string[]): Promise<Ran> =>
  promisify(execFile)(process.execPath, [MAIN, "store", ...words]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

describe("the master key of a store without an identity, and of one with a foreign proof (R-X366)", () => {
  withScope((closeLater) => {
    const newFolder = async () => {
      const folder = await newStoreFolder("gh-other-key-");
      closeLater(() => rm(folder, { recursive: true, force: true }));
      return folder;
    };

    /** The data directory of a stopped installation that an earlier program made, before stores had an identity. */
    const storeOfBefore = async () => {
      const directory = join(await newFolder(), "data");
      await unpackStore("store-1", directory);
      return directory;
    };

    /** An empty data directory with a master key. */
    const directoryWith = async (masterKey: string) => {
      const directory = join(await newFolder(), "data");
      await mkdir(directory, { mode: 0o700 });
      await writeFile(join(directory, "master.key"), masterKey, { mode: 0o600 });
      return directory;
    };

    const keyOf = (directory: string) => readFile(join(directory, "master.key"), "utf8");
    const start = (dataDirectory: string) => openProcesses(closeLater, { dataDirectory, flags: { issuer: ISSUER } });
    const rowsOf = (directory: string, sql: string): unknown[] => {
      const file = new BetterSqlite3(join(directory, "gatehouse.sqlite"), { readonly: true });
      const rows = file.prepare(sql).all();
      file.close();
      return rows;
    };

    it("a start with another key leaves nothing of that key: with the right one a backup can be restored", async () => {
      const directory = await storeOfBefore();
      const right = await keyOf(directory);
      await writeFile(join(directory, "master.key"), newKey());
      await expect(start(directory)).rejects.toThrow("The store was sealed with another master key");
      expect(rowsOf(directory, "select * from store_identities")).toEqual([]);

      await writeFile(join(directory, "master.key"), right);
      const gatehouse = await start(directory);
      const backup = join(await newFolder(), "backup.sqlite");
      const backedUp = await commandLine(["store", "backup", backup, "--data-directory", directory]);
      await gatehouse.stop();
      const elsewhere = await directoryWith(right);
      const restored = await store("restore", backup, "--data-directory", elsewhere);
      expect([backedUp.exitCode, restored.code, restored.stderr]).toEqual([0, 0, expect.stringContaining("Next:")]);
    });

    it("a foreign proof that an earlier program wrote is replaced at a start, and its backups can be restored", async () => {
      const directory = await storeOfBefore();
      const right = await keyOf(directory);
      const first = await start(directory);
      await first.stop();
      const foreign = createSealer(parseMasterKeys(newKey()), systemRandom);
      const file = new BetterSqlite3(join(directory, "gatehouse.sqlite"));
      file
        .prepare("update store_identities set proof = ?")
        .run(foreign.seal(systemRandom.bytes(32), "store_identities"));
      file.close();

      const restored = await store("restored", "--data-directory", directory);
      expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("Next:")]);
      const again = await start(directory);
      const { stdout } = await commandLine(["store", "master-keys", "--json", "--data-directory", directory]);
      await again.stop();
      const { keys } = JSON.parse(stdout) as { keys: readonly { place: number | null }[] };
      expect(keys.map(({ place }) => place)).toEqual([1]);
      expect(await keyOf(directory)).toBe(right);
    });

    it("a store of another installation is not restored, although it has no identity, and nothing is changed", async () => {
      const here = await directoryWith(newKey());
      const gatehouse = await openProcesses(closeLater, { dataDirectory: here });
      await gatehouse.stop();
      const [identity] = rowsOf(here, "select * from store_identities");
      const other = join(await storeOfBefore(), "gatehouse.sqlite");

      const { code, stderr } = await store("restore", other, "--data-directory", here);
      expect([code, stderr]).toEqual([
        65,
        expect.stringMatching(
          /belongs to another installation, or its master key is missing.* Nothing was changed\.\n$/,
        ),
      ]);
      expect(stderr).toContain(other);
      expect(rowsOf(here, "select * from store_identities")).toEqual([identity]);
    });

    it("a store of before is restored with its own key, and goes on as the store of the installation that it replaces", async () => {
      const before = await storeOfBefore();
      const here = join(await newFolder(), "data");
      await cp(before, here, { recursive: true });
      const gatehouse = await start(here);
      await gatehouse.stop();
      const idHere = () => rowsOf(here, "select store_id from store_identities");
      const [identity] = idHere();
      const { code, stdout } = await store("restore", join(before, "gatehouse.sqlite"), "--data-directory", here);
      expect([code, stdout]).toEqual([0, expect.stringContaining("this is epoch 2")]);
      expect(idHere()).toEqual([identity]);
    });
  });
});
