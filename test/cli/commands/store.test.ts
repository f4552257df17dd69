import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { MasterKey, ResealResponse } from "../../../generated/proto/gatehouse/store/v1/store.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";
import { openStub, type StubGatehouse } from "../command-line.ts";

const NONE = { signingKeys: 0, signingSecrets: 0, extraHeaders: 0, storeIdentity: 0 };
const ALL = { signingKeys: 4, signingSecrets: 2, extraHeaders: 1, storeIdentity: 1 };
const [FIRST, OLD, LOST] = ["5d1f0c2ab98e7436", "c07be4419a2d85f3", "0b6cf7e1a2d94538"];

describe("gatehouse store status (R-X250)", () => {
  withScope((closeLater) => {
    it.each([
      ["sqlite", "Epoch 1. Last backup: 2026-11-26 17:18 UTC."],
      // What is kept of the embedded store that it was copied from says nothing about it.
      ["postgres", "Epoch 1. Backups are PostgreSQL's own."],
    ])("says of %s who makes its backups", async (kind, sentence) => {
      const at = new Date("2026-11-26T17:18:00Z");
      const stub = await openStub(closeLater, {
        store: {
          getStatus: async () => ({
            ...{ kind, storeId: "1f", epoch: 1, epochBeganAt: at, backedUpAt: at, removedAsOf: null, tables: [] },
          }),
        },
      });
      const { exitCode, stderr } = await stub.run(["store", "status"]);
      expect([exitCode, stderr.trim()]).toEqual([0, sentence]);
    });

    /** The longest names and large numbers. */
    const TABLES = ["workforce_instance_integrations", "webhooks_settled"].map((name) => ({
      ...{ name, rows: 120_000_000, isEstimate: true, bytes: 99_000_000_000, rowsPerDay: -1_200_000 },
      ...{ removedWithinADay: 1_200_000, kept: "removed 90 days after they were made" },
    }));

    it.each([
      [
        80,
        "TABLE | ROWS | BYTES | ROWS A DAY",
        "Not shown for want of room: removed within a day, kept. --json shows all.",
      ],
      [
        100,
        "TABLE | ROWS | BYTES | ROWS A DAY | REMOVED WITHIN A DAY",
        "Not shown for want of room: kept. --json shows all.",
      ],
      [200, "TABLE | ROWS | BYTES | ROWS A DAY | REMOVED WITHIN A DAY | KEPT", undefined],
    ])("takes a line for each table on %i columns", async (columns, headings, note) => {
      const stub = await openStub(closeLater, {
        store: {
          getStatus: async () => ({
            ...{ kind: "postgres", storeId: "1f", epoch: 1, epochBeganAt: null, backedUpAt: null, removedAsOf: null },
            tables: TABLES,
          }),
        },
      });
      const { stdout } = await stub.run(["store", "status"], { columns });
      const lines = stripVTControlCharacters(stdout).trimEnd().split("\n");
      expect(lines[0]?.replaceAll(/ {2,}/g, " | ")).toBe(headings);
      expect(lines.slice(1, 3).map((line) => line.split(" ")[0])).toEqual(TABLES.map(({ name }) => name));
      expect(lines.slice(3)).toEqual(note === undefined ? [] : ["", note]);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    });
  });
});

describe("gatehouse store backup (R-X246)", () => {
  withScope((closeLater) => {
    let folder: string;
    let stub: StubGatehouse;
    /** Where the services write, for a path of the command. */
    let seenByServices: (path: string) => string;

    beforeAll(async () => {
      folder = newFolder("gh-store-backup-");
      stub = await openStub(closeLater, {
        store: {
          async backUp({ path }) {
            writeFileSync(seenByServices(path), "");
            return { path, bytes: 1, tables: 1, rows: 1, madeAt: null, epoch: 1, sha256: "" };
          },
        },
      });
    });

    it("says how the file is put back, by a command that finds the same Gatehouse", async () => {
      seenByServices = (path) => path;
      const path = join(folder, "monday.sqlite");
      const { exitCode, stderr } = await stub.run(["store", "backup", path]);
      const next = `stop Gatehouse, then gatehouse store restore ${path} --socket-directory ${stub.socketDirectory}`;
      expect([exitCode, stderr.replaceAll("\n", " ").trim()]).toEqual([
        0,
        `The backup is written and checked.  Next: to put it back, ${next}`,
      ]);
    });

    it("says that the file is elsewhere, where the services see another directory at its path", async () => {
      seenByServices = (path) => `${path}.elsewhere`;
      const { exitCode, stderr } = await stub.run(["store", "backup", join(folder, "tuesday.sqlite")]);
      expect(exitCode).toBe(0);
      expect(stderr.replaceAll(/\s+/g, " ").trim()).toBe(
        "The backup is written and checked, but it is not at that path here: the services see another directory there, as /tmp is with PrivateTmp of systemd, or any is in a container. Name one that they share with you.",
      );
    });
  });
});

describe("gatehouse store master-keys and reseal (R-X353)", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    let keys: MasterKey[];
    let answer: ResealResponse;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        store: {
          getMasterKeys: async () => ({ keys }),
          reseal: async () => answer,
        },
      });
    });

    beforeEach(() => {
      stub.received.length = 0;
      keys = [
        { id: FIRST, place: 1, sealed: NONE },
        { id: OLD, place: 2, sealed: ALL },
      ];
      answer = { masterKeyId: FIRST, resealed: ALL, unopened: NONE, changedMeanwhile: NONE };
    });

    const calls = () => stub.received.map(({ path }) => path);

    it.each<[string, () => void, RegExp]>([
      ["the command, where another key here seals something", () => undefined, /gatehouse store reseal/],
      [
        "that all is done",
        () => (keys = [{ id: FIRST, place: 1, sealed: ALL }]),
        /Every stored value is sealed under the first master key\./,
      ],
      [
        "that something cannot be opened",
        () => keys.push({ id: LOST, place: null, sealed: { ...NONE, extraHeaders: 1 } }),
        /a master key that this process does not have/,
      ],
    ])("says %s", async (_, arrange, words) => {
      arrange();
      const { exitCode, stderr } = await stub.run(["store", "master-keys"]);
      expect([exitCode, stderr.replaceAll("\n", " ")]).toEqual([0, expect.stringMatching(words)]);
    });

    it("the command that a sentence ends with finds the same Gatehouse", async () => {
      const { stderr } = await stub.run(["store", "master-keys"]);
      expect(stderr).toMatch(
        new RegExp(`\nNext: .*gatehouse store reseal --socket-directory ${stub.socketDirectory}\n$`),
      );
    });

    it("shows the keys as a table and as JSON", async () => {
      keys.push({ id: LOST, place: null, sealed: { ...NONE, extraHeaders: 1 } });
      const { stdout } = await stub.run(["store", "master-keys"]);
      expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | ").trim())).toEqual([
        "MASTER KEY | HERE | SIGNING KEYS | SIGNING SECRETS | EXTRA HEADERS | STORE IDENTITY",
        `${FIRST} | 1, seals | 0 | 0 | 0 | 0`,
        `${OLD} | 2, opens | 4 | 2 | 1 | 1`,
        `${LOST} | missing here | 0 | 0 | 1 | 0`,
        "",
      ]);
      const json = await stub.run(["store", "master-keys", "--json"]);
      expect(JSON.parse(json.stdout)).toEqual({
        keys: keys.map(({ id, place, sealed }) => ({ id, place: place ?? null, sealed })),
      });
    });

    it.each([
      ["at a terminal, and no is no", { typed: true, stdin: "n\n" }, [2, ["GetMasterKeys"]]],
      ["at a terminal, and yes is yes", { typed: true, stdin: "y\n" }, [0, ["GetMasterKeys", "Reseal"]]],
      ["and a script without --yes changes nothing", {}, [2, ["GetMasterKeys"]]],
    ])("asks first: %s", async (_, options, expected) => {
      const { exitCode, stderr } = await stub.run(["store", "reseal"], options);
      expect([exitCode, calls()]).toEqual(expected);
      expect(stderr).toContain(FIRST);
    });

    it("says what it sealed again and what it left, with --json too", async () => {
      answer = {
        ...answer,
        unopened: { ...NONE, signingSecrets: 2 },
        changedMeanwhile: { ...NONE, extraHeaders: 1 },
      };
      const { stdout, stderr } = await stub.run(["store", "reseal", "--yes"]);
      expect(stdout).toMatch(/^not opened +2 signing secrets$/m);
      expect(stdout).toMatch(/^changed meanwhile +1 extra header$/m);
      expect(stderr.replaceAll("\n", " ")).toContain("the log of services names each one");
      const json = await stub.run(["store", "reseal", "--yes", "--json"]);
      expect(JSON.parse(json.stdout)).toEqual(answer);
    });
  });
});
