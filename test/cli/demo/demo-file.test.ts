import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DemoFile, readDemoFile, writeDemoFile } from "../../../src/cli/demo/demo-file.ts";
import { newFolder } from "../../support/folder.ts";

const CONTENT: DemoFile = {
  issuer: "http://localhost:8080",
  gatewayUrl: "http://localhost:8080",
  people: [],
  seed: { id: "abcdefgh", startedAt: "2026-11-20T10:54:03.412Z" },
  registrations: [],
};

describe("demo.json", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = newFolder("gh-demo-file-");
    path = join(folder, "data", "demo.json");
  });

  it("is read as it was written, and only its owner can read it", async () => {
    await writeDemoFile(path, CONTENT);
    await writeDemoFile(path, { ...CONTENT, apiKey: "key" });
    expect(await readDemoFile(path)).toEqual({ ...CONTENT, apiKey: "key" });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "data"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, "data"))).toEqual(["demo.json"]);
  });

  it("is absent at first", async () => {
    expect(await readDemoFile(path)).toBeUndefined();
  });

  it.each(["", "{", "null", "[]", "{}", '{"seed":{}}'])("stops the start when it contains %j", async (text) => {
    await writeFile(join(folder, "demo.json"), text);
    await expect(readDemoFile(join(folder, "demo.json"))).rejects.toMatchObject({
      name: "CannotStart",
      message: `${join(folder, "demo.json")} does not hold a demonstration. Remove ${folder} to begin a new one.`,
    });
  });
});
