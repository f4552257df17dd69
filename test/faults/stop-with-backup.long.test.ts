import { readdirSync, readFileSync, readlinkSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { StoreService } from "../../generated/proto/gatehouse/store/v1/store.ts";
import { carrierTo } from "../../src/roles/carriers.ts";
import { STORE_FILE_STATES, storePath } from "../../src/runtime/database/sqlite/store-file.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { startGatehouse } from "../support/gatehouse.ts";
import { newStoreFolder } from "../support/memory.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { slowToCheck } from "../support/slow-check.ts";

/** Where the header of an SQLite file has `user_version`. */
const USER_VERSION_OFFSET = 60;

/**
 * `user_version` of a file that may be half written. Not by SQLite: a connection of ours would be in the way of the one
 * that writes the file, which is refused then.
 */
function stateOf(path: string): number | undefined {
  try {
    const header = readFileSync(path);
    return header.length > USER_VERSION_OFFSET + 4 ? header.readInt32BE(USER_VERSION_OFFSET) : undefined;
  } catch {
    return undefined;
  }
}

/** Ids of processes that have a file of the folder open. */
const processesIn = (folder: string): readonly string[] =>
  readdirSync("/proc").filter((id) => /^\d+$/.test(id) && openFilesOf(id).some((path) => path.startsWith(folder)));

function openFilesOf(id: string): readonly string[] {
  try {
    return readdirSync(`/proc/${id}/fd`).map((number) => readlinkSync(`/proc/${id}/fd/${number}`));
  } catch {
    return [];
  }
}

/** A disk that others use, too, may take so long. */
const BUSY_DISK_MS = 60_000;

/** A backup that is being checked. */
interface BackupUnderWay {
  /** Its error, or its answer. */
  readonly end: Promise<unknown>;
}

/** @throws Error with how the backup ended, if it ends meanwhile. */
const during = <T>({ end }: BackupUnderWay, waited: Promise<T>): Promise<T> =>
  Promise.race([
    waited,
    end.then((how) => {
      throw new Error("The backup ended too early.", { cause: how });
    }),
  ]);

/** Ids of the processes that check the copy in the folder, which the program has open itself until it has written it. */
const checkersIn = (folder: string, { programs }: ProcessGatehouse, backup: BackupUnderWay) =>
  during(
    backup,
    eventually(
      async () => processesIn(folder).filter((id) => id !== String(programs.all?.child.pid)),
      ({ length }) => length > 0,
      BUSY_DISK_MS,
    ),
  );

describe("while SQLite checks a backup", () => {
  withScope((closeLater) => {
    const slowStore = async () => {
      const folder = newFolder("gh-backup-");
      const dataDirectory = await newStoreFolder("gh-");
      closeLater(async () => rmSync(dataDirectory, { recursive: true }));
      const earlier = await startGatehouse({ dataDirectory });
      await earlier.stop();
      slowToCheck(storePath(dataDirectory));
      return { folder, dataDirectory };
    };

    /** Begins a backup, and returns how it will end once it is written and being checked. */
    const beginBackup = async (dataDirectory: string, folder: string): Promise<BackupUnderWay> => {
      const operator = carrierTo(join(dataDirectory, "sockets"), "operator");
      closeLater(() => operator.close());
      const end = operator
        .connect(StoreService)
        .backUp({ path: join(folder, "monday.sqlite") }, { deadlineMs: 600_000 })
        .catch((error: unknown) => error);
      const drafts = () => readdirSync(folder).filter((name) => name.endsWith(".unfinished"));
      const state = await during(
        { end },
        eventually(
          async () => drafts().map((name) => stateOf(join(folder, name))),
          ([one]) => one === STORE_FILE_STATES.backup,
          BUSY_DISK_MS,
        ),
      );
      expect(state).toEqual([STORE_FILE_STATES.backup]);
      return { end };
    };

    it("a stop gives the backup up at once, says so, and leaves nothing of it (R-X395)", async () => {
      const { folder, dataDirectory } = await slowStore();
      const gatehouse = await startGatehouse({ dataDirectory });
      const backup = await beginBackup(dataDirectory, folder);

      await gatehouse.stop();

      expect(await backup.end).toMatchObject({ code: "CANCELLED", message: "The work on the store was given up." });
      expect(readdirSync(folder)).toEqual([]);
      // The limit of this test lies far below the time that the check takes.
    }, 120_000);

    it("what ends the check ends the backup, with a reason; a signal for the whole program does not", async () => {
      const { folder, dataDirectory } = await slowStore();
      const gatehouse = await openProcesses(closeLater, { dataDirectory });
      const backup = await beginBackup(dataDirectory, folder);
      const [checking] = await checkersIn(folder, gatehouse, backup);
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.kill(Number(checking), signal);
      const afterSignals = await Promise.race([
        backup.end,
        gatehouse.workforce.listIntegrations({ after: null }).then(() => "goes on"),
      ]);
      process.kill(Number(checking), "SIGKILL");
      expect([afterSignals, await backup.end]).toEqual([
        "goes on",
        expect.objectContaining({
          reason: "backup_not_written",
          message: expect.stringContaining("(the process that checks the copy ended with SIGKILL)"),
        }),
      ]);
      expect(readdirSync(folder)).toEqual([]);
    }, 150_000);

    it("a process that is killed leaves none behind that goes on with it", async () => {
      const { folder, dataDirectory } = await slowStore();
      const gatehouse = await openProcesses(closeLater, { dataDirectory });
      const backup = await beginBackup(dataDirectory, folder);
      const before = await checkersIn(folder, gatehouse, backup);
      await gatehouse.programs.all?.end("SIGKILL");
      const after = await eventually(
        async () => processesIn(folder),
        ({ length }) => length === 0,
      );

      expect([before.length, after]).toEqual([1, []]);
      expect(await backup.end).toMatchObject({ code: "UNAVAILABLE" });
      await expect(gatehouse.restart("all")).resolves.toBeUndefined();
    }, 150_000);

    it("a process that is killed leaves a copy, which a later backup to the same directory removes (R-X389)", async () => {
      const { folder, dataDirectory } = await slowStore();
      const gatehouse = await openProcesses(closeLater, { dataDirectory });
      const backup = await beginBackup(dataDirectory, folder);
      await gatehouse.programs.all?.end("SIGKILL");
      await backup.end;
      const left = readdirSync(folder);
      const later = await startGatehouse();
      closeLater(() => later.stop());
      const operator = carrierTo(join(later.dataDirectory, "sockets"), "operator");
      closeLater(() => operator.close());
      const backUp = (name: string) =>
        operator.connect(StoreService).backUp({ path: join(folder, name) }, { deadlineMs: BUSY_DISK_MS });

      await backUp("tuesday.sqlite");
      const beside = readdirSync(folder);
      const twelveHoursAgo = Date.now() / 1_000 - 12 * 60 * 60 - 60;
      for (const name of left) utimesSync(join(folder, name), twelveHoursAgo, twelveHoursAgo);
      await backUp("wednesday.sqlite");

      const whole = ["tuesday.sqlite", "tuesday.sqlite.sha256"];
      expect(left).toContainEqual(expect.stringMatching(/^monday\.sqlite\.[0-9a-f]{12}\.unfinished$/));
      // It may be that of another program, which is under way.
      expect(beside).toEqual([...left, ...whole]);
      expect(readdirSync(folder)).toEqual([...whole, "wednesday.sqlite", "wednesday.sqlite.sha256"]);
    }, 150_000);
  });
});
