import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { migrations } from "../../../src/roles/owners.ts";
import { runStoreCommand, type StoreCommand } from "../../../src/roles/store/store-commands.ts";
import { systemClock } from "../../../src/runtime/basis/clock.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { prepareStoreFile, storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { lockStore } from "../../../src/runtime/database/sqlite/store-lock.ts";
import { masterKeyFile } from "../../../src/runtime/sealing/master-key.ts";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { newFolder } from "../../support/folder.ts";
import { describeWith } from "../../support/optional-part.ts";

const NOBODY = 65_534;

describeWith(
  {
    name: "another user",
    missing: process.getuid?.() === 0 ? undefined : "Only root may give files to another user.",
  },
  "a command of the store that root runs in a directory of another account",
  () => {
    let folder: string;
    let directory: string;
    let backup: string;

    beforeEach(async () => {
      folder = newFolder("gh-owner-");
      directory = join(folder, "data");
      backup = join(folder, "monday.sqlite");
      mkdirSync(directory, { mode: 0o700 });
      masterKeyFile(join(directory, "master.key"), systemRandom, { mayMake: true });
      const store = openSqlite(storePath(directory));
      await migrate(store, migrations, systemClock.now());
      await store.close();
      await backUp(storePath(directory), backup, new AbortController().signal);
      for (const path of [directory, ...filesIn(directory)]) chownSync(path, NOBODY, NOBODY);
      jest.spyOn(process.stdout, "write").mockReturnValue(true);
    });

    afterEach(() => {
      jest.restoreAllMocks();
    });

    const filesIn = (path: string) => readdirSync(path, { recursive: true }).map((name) => join(path, String(name)));

    it.each<[StoreCommand, boolean]>([
      ["migrate", false],
      ["restored", false],
      ["restore", true],
    ])("says what hands it back, without which no Gatehouse of that account starts: %s", async (command, takesFile) => {
      const said = jest.spyOn(process.stderr, "write").mockReturnValue(true);
      await runStoreCommand(command, {
        given: takesFile ? backup : undefined,
        flags: { json: false, plan: false, to: undefined },
        config: readConfig({ flags: { "data-directory": directory }, environment: {}, roles: [] }),
      });
      expect(statSync(join(directory, "gatehouse.store")).uid).toBe(0);
      expect(said).toHaveBeenCalledWith(
        expect.stringMatching(`^\\nNext: chown -R ${NOBODY}:${NOBODY} ${directory}: .*, then gatehouse serve`),
      );
    });

    it.each<StoreCommand>(["migrate", "restored"])(
      "says to an account that may not look into the directory as whom to run it: %s",
      async (command) => {
        chownSync(directory, 0, 0);
        const config = readConfig({ flags: { "data-directory": directory }, environment: {}, roles: [] });
        const own = process.geteuid?.() ?? 0;
        chmodSync(folder, 0o755);
        process.seteuid?.(NOBODY);
        try {
          await expect(
            runStoreCommand(command, {
              given: undefined,
              flags: { json: false, plan: command === "migrate", to: undefined },
              config,
            }),
          ).rejects.toThrow(
            `This account may not look into ${directory} (EACCES). Run the command as the account that runs Gatehouse.`,
          );
        } finally {
          process.seteuid?.(own);
        }
      },
    );

    it("a start of that account says so too, at the lock that root made first", () => {
      lockStore(directory).release();
      chmodSync(folder, 0o755);
      process.seteuid?.(NOBODY);
      try {
        expect(() => lockStore(directory)).toThrow(
          /gatehouse\.lock cannot be made \(EACCES\)\. Give all files of .* to the account that runs Gatehouse/,
        );
      } finally {
        process.seteuid?.(0);
      }
    });

    it("a start of that account says so too, at the mark", async () => {
      const handed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
      const config = readConfig({ flags: { "data-directory": directory }, environment: {}, roles: [] });
      const flags = { json: false, plan: false, to: undefined };
      await runStoreCommand("migrate", { given: undefined, flags, config });
      handed.mockRestore();
      chmodSync(folder, 0o755);
      process.seteuid?.(NOBODY);
      try {
        expect(() => prepareStoreFile(directory)).toThrow(
          /gatehouse\.store cannot be read \(EACCES\)\. Give all files of .* to the account that runs Gatehouse/,
        );
      } finally {
        process.seteuid?.(0);
      }
    });

    it.each([
      ["the main file", "gatehouse.sqlite", /gatehouse\.sqlite cannot be copied into it \(SQLITE_CANTOPEN\)\. /],
      ["the master key", "master.key", /master\.key cannot be read or made \(EACCES\)\. /],
    ])("a start of that account says so too, at %s", (_, name, refusal) => {
      chmodSync(folder, 0o755);
      chownSync(join(directory, name), 0, 0);
      chmodSync(join(directory, name), 0o600);
      const cure = /Give all files of .* to the account that runs Gatehouse/;
      process.seteuid?.(NOBODY);
      try {
        expect(() => {
          masterKeyFile(join(directory, "master.key"), systemRandom, { mayMake: false });
          prepareStoreFile(directory);
        }).toThrow(new RegExp(refusal.source + cure.source));
      } finally {
        process.seteuid?.(0);
      }
    });
  },
);
