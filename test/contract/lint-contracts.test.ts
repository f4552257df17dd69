import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FOLDER = mkdtempSync(join(tmpdir(), "gh-lint-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** What the lint says of the bundles when one of them is changed so. */
function lint(
  file: string,
  change: (text: string) => string,
): { readonly status: number | null; readonly said: string } {
  cpSync("generated/contracts", FOLDER, { recursive: true });
  const text = readFileSync(join(FOLDER, file), "utf8");
  const changed = change(text);
  if (changed === text) throw new Error(`Nothing in ${file} was changed`);
  writeFileSync(join(FOLDER, file), changed);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/lint-contracts.ts", FOLDER], {
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

describe("lint-contracts", () => {
  it("lets what is published pass", () => {
    const { status, said } = lint("portal.json", (text) => `${text}\n`);
    expect([status, said.trim().split("\n").at(-1)]).toEqual([0, `${FOLDER}: valid, examples too`]);
  });

  it.each([
    [
      "an example of an answer",
      "gateway.json",
      (text: string) => text.replace('"fullName": "Ines Okafor"', '"fullName": 7'),
      /gateway\.json: example #\/.*examples\/.*fullName must be string/,
    ],
    [
      "an example of an event (toolchain §0.7: no linter looks)",
      "webhooks.asyncapi.json",
      (text: string) => text.replace('"type": "user.updated",\n', '"type": "user.changed",\n'),
      /webhooks\.asyncapi\.json: example #\/components\/messages\/UserUpdated\/examples\/0\/payload: \/type must be equal to constant/,
    ],
    [
      "a member of an example that is not declared",
      "webhooks.asyncapi.json",
      (text: string) => text.replace('"specVersion": 1,', '"specVersion": 1, "extra": 1,'),
      /must NOT have additional properties.*extra/,
    ],
    [
      "an event type that one list lacks",
      "gateway.json",
      (text: string) => text.replace('"user.updated": {', '"user.changed": {'),
      /openapi\/gateway\.yaml: webhooks: user\.updated is missing/,
    ],
    [
      "an event type that the other list lacks",
      "gateway.json",
      (text: string) => text.replace('"user.updated": {', '"user.changed": {'),
      /openapi\/webhooks\.asyncapi\.yaml: components\/messages: user\.changed is missing/,
    ],
    [
      "what AsyncAPI's parser finds",
      "webhooks.asyncapi.yaml",
      (text: string) => text.replace("action: send", "action: shout"),
      /webhooks\.asyncapi\.yaml:\d+ error: .*operations/,
    ],
  ])("refuses %s, and names the place", (_, file, change, says) => {
    const { status, said } = lint(file, change);
    expect(said).toMatch(says);
    expect(status).toBe(1);
  });
});
