import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { migrations } from "../../src/roles/owners.ts";
import { newStoreFolder } from "../support/memory.ts";
import { MAIN } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { unpackStore } from "./store-of-before.ts";

const migrate = async (...words: readonly string[]) =>
  JSON.parse((await promisify(execFile)(process.execPath, [MAIN, "store", "migrate", "--json", ...words])).stdout);

describe("gatehouse store migrate", () => {
  withScope((closeLater) => {
    it("--plan says which steps an upgrade takes and how long, and changes nothing; without it they are taken (R-X252)", async () => {
      const directory = join(await newStoreFolder("gh-plan-"), "data");
      closeLater(() => rm(directory, { recursive: true, force: true }));
      await unpackStore("store-1", directory);
      const digest = () =>
        createHash("sha256")
          .update(readFileSync(join(directory, "gatehouse.sqlite")))
          .digest("hex");
      const files = () => readdirSync(directory).filter((name) => name !== "gatehouse.lock");
      const before = [digest(), files()];
      const here = `--data-directory=${directory}`;

      const plan = await migrate("--plan", here);

      expect([digest(), files()]).toEqual(before);
      expect(plan.isMeasured).toBe(true);
      expect(plan.seconds).toBeGreaterThanOrEqual(1);
      expect(plan.steps).toContainEqual({
        owner: "runtime",
        number: 4,
        name: "which store this is, and how often it was restored",
      });
      expect(await migrate(here)).toEqual({ steps: plan.steps.length });
      expect((await migrate("--plan", here)).steps).toEqual([]);
    });
  });
});

onPostgres((open) => {
  it("--plan estimates from the sizes of PostgreSQL's tables (R-X252)", async () => {
    const { store, location } = await open(migrations.filter(({ owner }) => owner !== "runtime"));
    await sql`delete from migration_ledger where owner = 'sign-on' and number = 11`.execute(store.view());
    const plan = await migrate("--plan", `--store-url=${location}`);
    expect(plan).toEqual({
      steps: [{ owner: "sign-on", number: 11, name: expect.stringContaining("applications that are deleted") }],
      seconds: expect.any(Number),
      isMeasured: false,
    });
  });
});
