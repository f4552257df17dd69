import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openHandOverFile } from "../../../../src/cli/commands/onboard/hand-over-file.ts";
import { newFolder } from "../../../support/folder.ts";

describe("a hand-over file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = newFolder("gh-hand-over-");
  });

  it("is begun by one of two runs at once; the other has made nothing (R-X203)", async () => {
    const path = join(folder, "twin.env");
    const runs = await Promise.allSettled([
      openHandOverFile(path, "Twin Payroll", "Dock", false),
      openHandOverFile(path, "Twin Payroll", "Dock", false),
    ]);
    expect(runs.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(runs.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { exitCode: 2, json: { reason: "hand_over_under_way" } },
    });
    const begun = await readFile(`${path}.unfinished`, "utf8");
    expect(begun.match(/^# Gatehouse: /gm)).toHaveLength(1);
    for (const run of runs) if (run.status === "fulfilled") run.value.close();
    await rm(`${path}.unfinished`);
  });

  it("is one run's until that one has ended, also when it was begun a while ago; the next one goes on with it (R-X203)", async () => {
    const path = join(folder, "later.env");
    const open = () => openHandOverFile(path, "Twin Payroll", "Dock", false);
    const first = await open();
    await first.add({ API_KEY: "key" });
    await expect(open()).rejects.toMatchObject({ exitCode: 2, json: { reason: "hand_over_under_way" } });
    first.close();
    const next = await open();
    expect(next.values).toEqual({ API_KEY: "key" });
    await next.finish();
    next.close();
    expect(await readdir(folder)).toEqual(["later.env"]);
    await rm(path);
  });

  it.each([
    ["another id", () => spawnSync("true").pid],
    ["the same id, as in a container that was started again", () => process.pid],
  ])("of a run that was killed, with %s, is the next one's, which leaves no lock (R-X203)", async (_, idOf) => {
    const path = join(folder, "killed.env");
    await mkdir(`${path}.unfinished.lock`);
    await writeFile(join(`${path}.unfinished.lock`, `${idOf()}-0123456789ab`), "");
    const file = await openHandOverFile(path, "Twin Payroll", "Dock", false);
    await file.finish();
    file.close();
    expect(await readdir(folder)).toEqual(["killed.env"]);
    await rm(path);
  });

  it("that cannot take a new value says so, and leaves no second file with secrets (R-X203)", async () => {
    const path = join(folder, "cornflower.env");
    const file = await openHandOverFile(path, "Cornflower", "Dock", false);
    await file.add({ WEBHOOK_SECRET: "former" });
    // What lies at its place now cannot be replaced by a file.
    await rm(`${path}.unfinished`);
    await mkdir(`${path}.unfinished`);
    await writeFile(join(`${path}.unfinished`, "something"), "");
    await expect(file.add({ WEBHOOK_SECRET: "new" })).rejects.toMatchObject({
      name: "CommandError",
      message: expect.stringMatching(/cornflower\.env\.unfinished cannot be written: (EISDIR|ENOTEMPTY)\./),
    });
    file.close();
    expect(await readdir(folder)).toEqual(["cornflower.env.unfinished"]);
  });
});
