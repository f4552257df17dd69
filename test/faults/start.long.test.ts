import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { testFlags } from "../support/gatehouse.ts";
import { openProcesses, type Program, startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";

const words = (flags: Readonly<Record<string, string>>): string[] => [
  "serve",
  ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
];

/** The end of a program that refuses to start: exit code and what it said, without the name before it. */
async function refusal(program: Program): Promise<{ code: unknown; said: string }> {
  const started = await program.ready().then(
    () => "it started",
    () => undefined,
  );
  const code = await program.end("SIGKILL");
  return { code: started ?? code, said: program.output().trim() };
}

describe("a refused start (F47, F48)", () => {
  withScope((closeLater) => {
    const newFlags = async (more: Readonly<Record<string, string>> = {}) => {
      const directory = newFolder("gh-");
      const managementPort = await freePort();
      return {
        directory,
        managementPort,
        flags: { ...testFlags(await freePort(), managementPort, directory), ...more },
      };
    };

    it("lists every configuration mistake at once and exits with 78", async () => {
      const { managementPort, flags } = await newFlags({
        "public-port": "eighty",
        "log-level": "loud",
        "pubic-host": "x",
        "session-idle-minutes": "0",
      });
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect(code).toBe(78);
      expect(said.split("\n")[0]).toBe("gatehouse: The configuration has 4 mistakes:");
      expect(said).toContain("--pubic-host is not a setting. Did you mean public-host?");
      for (const name of ["public-port", "log-level", "session-idle-minutes"])
        expect(said).toContain(`- ${name} (--${name})`);
    });

    it("lists mistakes of single settings and of several together at once", async () => {
      const { managementPort, flags } = await newFlags({
        development: "false",
        "public-port": "",
        "webhook-lease-ms": "300",
        "webhook-timeout-ms": "300",
        "master-keys": "abc",
      });
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect(code).toBe(78);
      expect(said.split("\n")[0]).toBe("gatehouse: The configuration has 4 mistakes:");
      for (const start of [
        "public-port (--public-port)",
        "master-keys (--master-keys)",
        "issuer is missing",
        "webhook-lease-ms must be",
      ])
        expect(said).toContain(`- ${start}`);
    });

    it("refuses an http issuer without the development switch", async () => {
      const { managementPort, flags } = await newFlags({ development: "false", issuer: "http://sign-on.example" });
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([78, expect.stringContaining("must be https")]);
    });

    it("says in one line that the public port is taken", async () => {
      const { managementPort, flags } = await newFlags();
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      closeLater(async () => void other.close());
      const { port } = other.address() as AddressInfo;
      const { code, said } = await refusal(
        startProgram(words({ ...flags, "public-port": String(port) }), managementPort),
      );
      expect([code, said]).toEqual([
        1,
        `gatehouse: Port ${port} on 127.0.0.1 is taken by another program. Set public-port to another.`,
      ]);
    });

    it("says in one line that the store is damaged, with 65 (R-X417)", async () => {
      const { directory, managementPort, flags } = await newFlags();
      await writeFile(
        join(directory, "gatehouse.sqlite"),
        "this is no database, and longer than a header of one hundred bytes".repeat(4),
      );
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect(code).toBe(65);
      expect(said).toMatch(/^gatehouse: The store .*gatehouse\.sqlite is damaged or not a SQLite database\..*$/);
    });

    it.each([
      [
        "is newer",
        "insert into migration_ledger select owner, 999, name, digest, applied_at from migration_ledger limit 1",
        "The store is newer than this program",
      ],
      [
        "was made by another program's steps",
        "update migration_ledger set digest = 'another' where owner = 'runtime' and number = 1",
        "Migration 1 of runtime in the store differs",
      ],
      ["is a backup that was put in place by hand", "pragma user_version = 2", "was put in place by hand"],
    ])(
      "ends with 65 where the store %s, since another start would end as this one (R-X417)",
      async (_, change, sentence) => {
        const first = await openProcesses(closeLater);
        await first.programs.all?.end();
        const store = new BetterSqlite3(join(first.dataDirectory, "gatehouse.sqlite"));
        store.exec(change);
        store.close();
        const managementPort = await freePort();
        const flags = testFlags(await freePort(), managementPort, first.dataDirectory);
        const { code, said } = await refusal(startProgram(words(flags), managementPort));
        expect([code, said]).toEqual([65, expect.stringContaining(sentence)]);
      },
    );

    it("ends with 65 where another program made the file (R-X417)", async () => {
      const { directory, managementPort, flags } = await newFlags();
      const other = new BetterSqlite3(join(directory, "gatehouse.sqlite"));
      other.exec("create table recipes (name text)");
      other.close();
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([65, expect.stringContaining("another program made it")]);
    });

    it("says in one line that the data directory cannot be used", async () => {
      const { directory, managementPort, flags } = await newFlags();
      await writeFile(join(directory, "file"), "");
      const { code, said } = await refusal(
        startProgram(words({ ...flags, "data-directory": join(directory, "file", "below") }), managementPort),
      );
      expect(code).toBe(1);
      expect(said).toMatch(/^gatehouse: The data directory .* cannot be made .*set data-directory\.$/);
    });

    it.each([
      ["data-directory", 1, "The data directory /proc/gatehouse cannot be made (ENOENT)."],
      ["socket-directory", 1, "The directory /proc/gatehouse cannot be used for sockets."],
      ["log-destination", 78, "The log file /proc/gatehouse/log cannot be written (ENOENT)."],
    ])("says so at once where the system makes no directory (%s)", async (setting, exitCode, sentence) => {
      const path = setting === "log-destination" ? "/proc/gatehouse/log" : "/proc/gatehouse";
      const { managementPort, flags } = await newFlags({ [setting]: path });
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([exitCode, expect.stringContaining(`gatehouse: ${sentence}`)]);
    });

    it("refuses a master key that others can read", async () => {
      const { directory, managementPort, flags } = await newFlags();
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, "master.key"), Buffer.alloc(32, 1).toString("base64"));
      await chmod(join(directory, "master.key"), 0o644);
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([78, expect.stringContaining("chmod 600")]);
    });

    it("refuses a data directory that others can enter (R-X178)", async () => {
      const { directory, managementPort, flags } = await newFlags();
      await chmod(directory, 0o755);
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([
        78,
        `gatehouse: The data directory ${directory} can be entered by others. Run: chmod 700 ${directory}, or set data-directory to another.`,
      ]);
    });

    it("refuses a store without its log or without its master key, and creates neither (R-X177)", async () => {
      const first = await openProcesses(closeLater);
      const directory = first.dataDirectory;
      await first.programs.all?.end("SIGKILL");
      const key = await readFile(join(directory, "master.key"));
      await rm(join(directory, "master.key"));
      const managementPort = await freePort();
      const flags = testFlags(await freePort(), managementPort, directory);
      const withoutKey = await refusal(startProgram(words(flags), managementPort));
      expect([withoutKey.code, withoutKey.said, existsSync(join(directory, "master.key"))]).toEqual([
        78,
        expect.stringMatching(/^gatehouse: The master key .*master\.key is missing, and the store beside it .*$/),
        false,
      ]);
      await writeFile(join(directory, "master.key"), key, { mode: 0o600 });
      // As a copy of the main file alone, made while the program ran.
      await writeFile(join(directory, "gatehouse.store"), "open\n");
      await rm(join(directory, "gatehouse.sqlite-wal"), { force: true });
      const withoutLog = await refusal(startProgram(words(flags), managementPort));
      expect([withoutLog.code, withoutLog.said]).toEqual([
        1,
        expect.stringMatching(/^gatehouse: A store was here, and .*gatehouse\.sqlite-wal is missing or empty\..*$/),
      ]);
    });

    it("refuses a store that was sealed with another master key (F48, R-X34, R-X417)", async () => {
      const first = await openProcesses(closeLater);
      await first.programs.all?.end();
      await writeFile(join(first.dataDirectory, "master.key"), Buffer.alloc(32, 1).toString("base64"));
      const managementPort = await freePort();
      const flags = testFlags(await freePort(), managementPort, first.dataDirectory);
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([65, expect.stringContaining("sealed with another master key")]);
    });

    it("refuses a second program on the same store, also with sockets of its own (R-D3, R-X33)", async () => {
      const first = await openProcesses(closeLater);
      const managementPort = await freePort();
      const flags = {
        ...testFlags(await freePort(), managementPort, first.dataDirectory),
        "socket-directory": join(first.dataDirectory, "s2"),
      };
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([1, expect.stringContaining("Another Gatehouse is running in")]);
    });

    it("refuses a second program on the same directory, and the first one keeps working", async () => {
      const first = await openProcesses(closeLater);
      const managementPort = await freePort();
      const flags = testFlags(await freePort(), managementPort, first.dataDirectory);
      const { code, said } = await refusal(startProgram(words(flags), managementPort));
      expect([code, said]).toEqual([1, expect.stringContaining("Another Gatehouse is running")]);
      const { instances } = await first.platform.listInstances({ after: null });
      expect(instances).toEqual([]);
    });
  });
});
