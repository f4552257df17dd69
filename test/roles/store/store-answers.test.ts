import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { migrations } from "../../../src/roles/owners.ts";
import { runStoreCommand, type StoreCommand } from "../../../src/roles/store/store-commands.ts";
import { systemClock } from "../../../src/runtime/basis/clock.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { lockStore } from "../../../src/runtime/database/sqlite/store-lock.ts";
import { masterKeyFile } from "../../../src/runtime/sealing/master-key.ts";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { newFolder } from "../../support/folder.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

describe("what a command of the store prints", () => {
  let folder: string;
  let directory: string;

  beforeEach(async () => {
    folder = newFolder("gh-answers-");
    directory = join(folder, "data");
    mkdirSync(directory, { mode: 0o700 });
    masterKeyFile(join(directory, "master.key"), systemRandom, { mayMake: true });
    const store = openSqlite(storePath(directory));
    await migrate(store, migrations, systemClock.now());
    await store.close();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  async function printed(command: StoreCommand, settings: Readonly<Record<string, string>>, given?: string) {
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      jest.spyOn(process[name], "write").mockImplementation((text) => {
        texts[name] += String(text);
        return true;
      });
    const config = readConfig({ flags: settings, environment: {}, roles: [] });
    await runStoreCommand(command, {
      given,
      flags: { json: false, plan: false, to: undefined },
      config,
      settings,
    });
    return texts;
  }

  it("names the start with the settings of its command line, so that it finds the same store", async () => {
    const { stderr } = await printed("migrate", { "data-directory": directory, "public-port": "8443" });
    expect(stderr).toMatch(`Next: gatehouse serve --data-directory ${directory} --public-port 8443\n`);
  });

  it("leaves open what is secret", async () => {
    const { stderr } = await printed("migrate", { "data-directory": directory, "master-keys": KEY, development: "" });
    expect(stderr.endsWith(`gatehouse serve --data-directory ${directory} --master-keys … --development\n`)).toBe(true);
  });

  it("quotes a path in a command, so that what is copied removes no other folder", async () => {
    const spaced = join(folder, "gate house");
    renameSync(directory, spaced);
    const backup = join(folder, "monday.sqlite");
    await backUp(storePath(spaced), backup, new AbortController().signal);
    const { stdout } = await printed("restore", { "data-directory": spaced }, backup);
    expect(stdout).toMatch(new RegExp(`^then remove {2,}rm -r '${spaced}/replaced-\\w+': it keeps people`, "m"));
  });

  it("says of a data directory that is not there that it is not, as before a restore on a new machine", () => {
    const missing = join(folder, "nowhere");
    expect(() => lockStore(missing)).toThrow(
      `There is no directory ${missing}. Set data-directory, or make it (mode 0700) and put the store's master.key there.`,
    );
  });

  const NOT_KNOWN =
    /^undone {2,}is not known: erasures and all else that was done since are to be repeated \(docs\/operations\/backup-and-restore\.md\)$/m;

  it("says that it is not known what a store that was set back lacks (R-X422)", async () => {
    const { stdout } = await printed("restored", { "data-directory": directory });
    expect(stdout).toMatch(NOT_KNOWN);
  });

  it("says that it is not known what a backup lacks that is restored on a new machine, and not of any other (R-X422)", async () => {
    const backup = join(folder, "monday.sqlite");
    await backUp(storePath(directory), backup, new AbortController().signal);
    const { stdout: ofOwn } = await printed("restore", { "data-directory": directory }, backup);
    expect(ofOwn).not.toMatch(NOT_KNOWN);
    const empty = join(folder, "new-machine");
    mkdirSync(empty, { mode: 0o700 });
    renameSync(join(directory, "master.key"), join(empty, "master.key"));
    const { stdout } = await printed("restore", { "data-directory": empty }, backup);
    expect(stdout).toMatch(NOT_KNOWN);
  });

  it("fits into the columns of a terminal", async () => {
    Object.defineProperties(process.stdout, {
      isTTY: { value: true, configurable: true },
      columns: { value: 60, configurable: true },
    });
    try {
      const { stdout } = await printed("restored", { "data-directory": directory });
      expect(stdout).toContain("\nended      0 sessions, 0 token families,");
      const ended = stdout.slice(stdout.indexOf("\nended"), stdout.indexOf("\nsuspended"));
      expect(ended.split("\n").filter((line) => line.length > 60)).toEqual([]);
      expect(ended).toContain("\n           ");
    } finally {
      for (const name of ["isTTY", "columns"]) Reflect.deleteProperty(process.stdout, name);
    }
  });

  it("asks for the master keys of a PostgreSQL, and speaks of no store beside a key file", async () => {
    const settings = { "store-url": "postgresql://localhost:1/gatehouse", "data-directory": join(folder, "elsewhere") };
    await expect(printed("restored", settings)).rejects.toThrow(
      "master-keys is missing: the PostgreSQL store is sealed with them. Give those that its services have, by master-keys-file. Nothing was changed.",
    );
  });
});
