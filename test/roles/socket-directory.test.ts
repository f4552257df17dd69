import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { takeSocketDirectory } from "../../src/roles/socket-directory.ts";
import { lockFile } from "../../src/runtime/database/sqlite/store-lock.ts";
import { newFolder } from "../support/folder.ts";

describe("the turn to make sockets in a directory (R-X384)", () => {
  let folder: string;
  let directory: string;

  beforeEach(() => {
    folder = newFolder("gh-");
    directory = join(folder, "sockets");
    mkdirSync(directory, { mode: 0o700 });
  });

  const lockPath = () => join(directory, "sockets.lock");

  it("comes when the process before has made its own, or has ended", async () => {
    const before = lockFile(lockPath());
    const events: string[] = [];
    const taking = takeSocketDirectory(directory).then((place) => {
      events.push("taken");
      return place;
    });
    for (let turns = 0; turns < 20; turns++) await turn();
    events.push("left");
    before.release();
    (await taking).release();
    expect(events).toEqual(["left", "taken"]);
    expect(statSync(lockPath()).mode & 0o777).toBe(0o600);
  });

  it("is not waited for in a directory that is still to be made, and makes none", async () => {
    const missing = join(folder, "later");
    (await takeSocketDirectory(missing)).release();
    expect(existsSync(missing)).toBe(false);
  });

  it("writes nothing into a directory that others can enter", async () => {
    chmodSync(directory, 0o1777);
    symlinkSync(join(folder, "of-others"), lockPath());
    await expect(takeSocketDirectory(directory)).rejects.toThrow(/can be entered by others/);
    expect(existsSync(join(folder, "of-others"))).toBe(false);
  });
});
