import { execFile } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { cp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { replacedFolders } from "../../src/runtime/upkeep/store-replacement.ts";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { newStoreFolder } from "../support/memory.ts";
import { MAIN, openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, present } from "../support/world.ts";

const PAGE_BYTES = 4_096;
/** A module for `--import`. */
const KILLED_AT_ITS_FIRST_WORD =
  "data:text/javascript,process.stdout.write = () => process.kill(process.pid, 'SIGKILL')";

/** Overwrites every page of a table and of its indexes with what no page begins with. */
function damage(path: string, table: string): void {
  const handle = new BetterSqlite3(path, { readonly: true });
  const pages = handle
    .prepare<[string], number>(
      "select pageno from dbstat where name in (select name from sqlite_schema where tbl_name = ?)",
    )
    .pluck()
    .all(table);
  handle.close();
  const file = openSync(path, "r+");
  for (const page of pages) writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}

describe("a restore over a store, also a damaged one", () => {
  withScope((closeLater) => {
    let folder: string;
    let stopped: string;
    let backup: string;
    let later: string;
    let backedUpAt: string;
    let personId: string;
    let apiKeyId: string;

    beforeAll(async () => {
      folder = await newStoreFolder("gh-damaged-");
      closeLater(() => rm(folder, { recursive: true, force: true }));
      backup = join(folder, "first.sqlite");
      const gatehouse = await openProcesses(closeLater);
      stopped = gatehouse.dataDirectory;
      const world = await makeWorld(gatehouse);
      const { integrationId } = world;
      personId = world.personId;
      const { stdout } = await commandLine(["store", "backup", backup, "--json", "--data-directory", stopped]);
      backedUpAt = (JSON.parse(stdout) as { madeAt: string }).madeAt;
      const { apiKeys } = await gatehouse.workforce.listApiKeys({ integrationId, after: null });
      apiKeyId = present(apiKeys[0]).id;
      await gatehouse.workforce.revokeApiKey({ apiKeyId });
      later = join(folder, "later.sqlite");
      await commandLine(["store", "backup", later, "--data-directory", stopped]);
      await commandLine(["people", "erase", personId, "--yes", "--data-directory", stopped]);
      await gatehouse.stop();
    });

    const over = (...tables: readonly string[]) => join(folder, ["over", ...tables].join("-"));
    const copyTo = (directory: string) =>
      cp(stopped, directory, { recursive: true, filter: (path) => path !== join(stopped, "sockets") });
    const run = async (nodeFlags: readonly string[], ...words: readonly string[]) =>
      (await promisify(execFile)(process.execPath, [...nodeFlags, MAIN, ...words])).stdout;
    const restoreFrom = (file: string, directory: string, ...nodeFlags: readonly string[]) =>
      run(nodeFlags, "store", "restore", file, "--data-directory", directory);
    const restoreIn = (directory: string, ...nodeFlags: readonly string[]) =>
      restoreFrom(backup, directory, ...nodeFlags);
    const restoreOver = async (...tables: readonly string[]) => {
      const directory = over(...tables);
      await copyTo(directory);
      for (const table of tables) damage(join(directory, "gatehouse.sqlite"), table);
      return restoreIn(directory);
    };
    const eraseAgain = () =>
      new RegExp(`^erase again {2,}gatehouse people erase ${personId} --data-directory \\S+$`, "m");

    it("names what is to be repeated, and knows the backup that it was restored from as the last one (R-X247)", async () => {
      const said = await restoreOver();
      expect(said).toMatch(/^undone {2,}apiKey\.revoke 1, person\.erase 1/m);
      expect(said).not.toContain("store.backUp");
      expect(said).toMatch(new RegExp(`^repeat {2,}apiKey\\.revoke ${apiKeyId}$`, "m"));
      const store = new BetterSqlite3(join(over(), "gatehouse.sqlite"), { readonly: true });
      const known = store.prepare<[], number>("select backed_up_at from store_identities").pluck().get();
      store.close();
      expect(new Date(present(known)).toISOString()).toBe(new Date(backedUpAt).toISOString());
    });

    it("names it when it is repeated after it was killed before it had said anything (R-X247)", async () => {
      const directory = join(folder, "killed");
      await copyTo(directory);
      const killed = restoreIn(directory, "--import", KILLED_AT_ITS_FIRST_WORD);
      await expect(killed).rejects.toMatchObject({ signal: "SIGKILL", stdout: "" });
      const said = await restoreIn(directory);
      expect(said).toMatch(/^undone {2,}apiKey\.revoke 1, person\.erase 1, store\.restore 1$/m);
      expect(said).toMatch(new RegExp(`^repeat {2,}apiKey\\.revoke ${apiKeyId}$`, "m"));
    });

    it("names what restores before it have undone, too, and each entry once (R-X422)", async () => {
      const directory = join(folder, "repeated");
      await copyTo(directory);
      for (const restores of ["", ", store.restore 1", ", store.restore 2"]) {
        const said = await restoreIn(directory);
        expect(said).toMatch(new RegExp(`^undone {2,}apiKey\\.revoke 1, person\\.erase 1${restores}$`, "m"));
        expect(said).toMatch(new RegExp(`^repeat {2,}apiKey\\.revoke ${apiKeyId}$`, "m"));
      }
    });

    it("names what a restore before it has undone whose clock was ahead (R-X422)", async () => {
      const directory = join(folder, "clock-ahead");
      await copyTo(directory);
      await restoreIn(directory);
      const [replaced = ""] = replacedFolders(directory);
      await rename(replaced, join(directory, "replaced-20991231T120000Z"));
      const said = await restoreIn(directory);
      expect(said).toMatch(/^undone {2,}apiKey\.revoke 1, person\.erase 1, store\.restore 1$/m);
    });

    it("names what a backup lacks that was made later than the one of the restore before (R-X422)", async () => {
      const directory = join(folder, "later-backup");
      await copyTo(directory);
      expect(await restoreFrom(later, directory)).toMatch(/^undone {2,}person\.erase 1$/m);
      await restoreIn(directory);
      expect(await restoreFrom(later, directory)).toMatch(/^undone {2,}person\.erase 1, store\.restore 2$/m);
    });

    it("names at a start what a restore has undone that was killed before it had said anything, once (R-X421)", async () => {
      const directory = join(folder, "started");
      await copyTo(directory);
      await expect(restoreIn(directory, "--import", KILLED_AT_ITS_FIRST_WORD)).rejects.toMatchObject({ stdout: "" });
      const gatehouse = await openProcesses(closeLater, { dataDirectory: directory, flags: { "log-level": "warn" } });
      const details = () =>
        present(gatehouse.programs.all)
          .output()
          .split("\n")
          .filter((line) => line.includes('"msg":"A restore was killed before it could say what it has undone."'))
          .map((line) => (JSON.parse(line) as { readonly detail: string }).detail);
      // A program that has ended has written all lines of its log.
      await gatehouse.stop();
      expect(details()).toEqual([
        "undone apiKey.revoke 1, person.erase 1",
        `repeat apiKey.revoke ${apiKeyId}`,
        `erase again ${personId}`,
      ]);
      await gatehouse.restart("all");
      await gatehouse.stop();
      expect(details()).toEqual([]);
    });

    it("names the erasures although the audit log cannot be read, and says that the rest is not known (R-X337)", async () => {
      const said = await restoreOver("audit_entries");
      expect(said).toMatch(eraseAgain());
      expect(said).toMatch(
        /^undone {2,}is not known: the store before cannot be read \(\S+gatehouse\.sqlite, audit_entries: .*malformed\)$/m,
      );
      expect(said).not.toContain("personal-data.md");
    });

    it("prints commands that find the program whose configuration file it was given", async () => {
      const directory = join(folder, "configured");
      await copyTo(directory);
      const file = join(folder, "gatehouse.json");
      await writeFile(file, JSON.stringify({ "data-directory": directory }));
      const command = new RegExp(
        `^erase again {2,}gatehouse people erase ${personId} --socket-directory ${join(directory, "sockets")}$`,
        "m",
      );
      expect(await run([], "store", "restore", backup, "--config", file)).toMatch(command);
    });

    it("replaces the store of a newer program, which does not start, and names what was done there (R-X245, R-X417)", async () => {
      const directory = join(folder, "newer");
      await copyTo(directory);
      const store = new BetterSqlite3(join(directory, "gatehouse.sqlite"));
      store.exec(
        "insert into migration_ledger select owner, 999, name, digest, applied_at from migration_ledger limit 1",
      );
      store.close();
      const start = run([], "serve", "--data-directory", directory, "--issuer", "https://sign-on.example");
      await expect(start).rejects.toMatchObject({
        code: 65,
        stderr: expect.stringContaining("newer than this program"),
      });
      expect(await restoreIn(directory)).toMatch(/^undone {2,}apiKey\.revoke 1, person\.erase 1$/m);
      await openProcesses(closeLater, { dataDirectory: directory });
    });

    it("puts a store back that a restore has replaced, one that was killed with its log (R-X247)", async () => {
      const directory = join(folder, "put-back");
      await copyTo(directory);
      const gatehouse = await openProcesses(closeLater, { dataDirectory: directory });
      await gatehouse.platform.createInstance({ requestId: "", name: "Only in the log" });
      await present(gatehouse.programs.all).end("SIGKILL");
      await restoreIn(directory);
      const [folderOfReplaced = ""] = replacedFolders(directory);
      const replaced = join(folderOfReplaced, "gatehouse.sqlite");
      const bytes = () => [replaced, `${replaced}-wal`].map((file) => readFileSync(file).toString("base64"));
      const before = bytes();
      expect(await restoreFrom(replaced, directory)).toMatch(/^undone {2,}store\.restore 1$/m);
      expect(bytes()).toEqual(before);
      const store = new BetterSqlite3(join(directory, "gatehouse.sqlite"), { readonly: true });
      const names = store.prepare<[], string>("select name from workforce_instances").pluck().all();
      store.close();
      expect(names).toContain("Only in the log");
      await openProcesses(closeLater, { dataDirectory: directory });
    });

    it("names what is known beside what is not, where a store that an earlier restore replaced is damaged (R-X422)", async () => {
      const directory = join(folder, "damaged-before");
      await copyTo(directory);
      damage(join(directory, "gatehouse.sqlite"), "audit_entries");
      await restoreIn(directory);
      const said = await restoreIn(directory);
      expect(said).toMatch(/^undone {2,}store\.restore 1$/m);
      expect(said).toMatch(
        /^undone {2,}all the rest is not known: the store before cannot be read \(\S+replaced-\S+, /m,
      );
      const [earlier = ""] = replacedFolders(directory);
      expect(said).toMatch(
        new RegExp(
          `^then remove {2,}rm -r ${earlier}: it cannot be read, and each restore says so until it is removed$`,
          "m",
        ),
      );
      const json = await run([], "store", "restore", backup, "--json", "--data-directory", directory);
      expect(JSON.parse(json)).toMatchObject({
        undone: { "store.restore": 2 },
        unread: [expect.stringMatching(/^\S+replaced-\S+, audit_entries: /)],
      });
      await rm(earlier, { recursive: true });
      expect(await restoreIn(directory)).not.toContain("cannot be read");
    });

    it("names what was undone although the identity cannot be read (R-X337)", async () => {
      const said = await restoreOver("store_identities");
      expect(said).toMatch(eraseAgain());
      expect(said).toMatch(/^undone {2,}.*person\.erase 1/m);
    });

    it("says that erasures are not known where neither the audit log nor their list can be read (R-X337)", async () => {
      const said = await restoreOver("audit_entries", "erasures");
      expect(said).not.toMatch(eraseAgain());
      expect(said).toMatch(
        /^erase again {2,}whatever was erased in a store that cannot be read \(\S+gatehouse\.sqlite, audit_entries: .*\): see .*personal-data\.md$/m,
      );
    });
  });
});
