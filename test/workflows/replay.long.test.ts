import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";

const HISTORIES = join(import.meta.dirname, "histories");

function replay(folder: string): Readonly<Record<string, string>> {
  const script = join(import.meta.dirname, "replay-histories.ts");
  return JSON.parse(execFileSync(process.execPath, [script, folder], { encoding: "utf8", timeout: 60_000 }));
}

// Recorded with `node test/workflows/record-histories.ts`. A workflow that was changed so that these no longer replay would break those that
// are under way when the program is replaced.
describe("histories of each path, recorded from a real server", () => {
  it("replay on the present workflows", () => {
    const results = replay(HISTORIES);
    expect(results).toEqual(Object.fromEntries(readdirSync(HISTORIES).map((name) => [name, "ok"])));
    expect(Object.keys(results)).toEqual([
      "cancelled-crowded.json",
      "cancelled-under-way-before.json",
      "cancelled-under-way.json",
      "cancelled.json",
      "code-expiry.json",
      "deliver-now-elsewhere.json",
      "deliver-now.json",
      "delivered.json",
      "exhausted.json",
      "gone.json",
      "overdue.json",
      "recovery-finished.json",
      "recovery-signalled.json",
      "revoked.json",
      "skipped.json",
    ]);
  }, 90_000);

  it("fail on another workflow: the replay really checks", () => {
    const folder = newFolder("gh-histories-");
    cpSync(HISTORIES, folder, { recursive: true });
    const altered = join(folder, "delivered.json");
    const history = readFileSync(altered, "utf8");
    const renamed = history.replace('"attemptDelivery"', '"attemptSomethingElse"');
    expect(renamed).not.toBe(history);
    writeFileSync(altered, renamed);
    const results = replay(folder);
    expect(results["delivered.json"]).toMatch(/DeterminismViolationError/);
    expect(results["exhausted.json"]).toBe("ok");
  }, 90_000);
});
