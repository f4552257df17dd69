import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TEST_EVENTS } from "#generated/test-events.ts";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { newFolder } from "../../support/folder.ts";

const GUIDE = join(import.meta.dirname, "..", "..", "..", "docs", "guides", "receive-events.md");
const [program = ""] = codeBlocks(readFileSync(GUIDE, "utf8"))
  .map(({ text }) => text)
  .filter((text) => text.startsWith("mkdir -p seen stored"));

const entities = [...new Map(Object.values(TEST_EVENTS).map(({ entity }) => [entity.type, entity])).values()];

describe("the shell program of receive-events, which keeps the newest snapshot of each entity", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-newest-");
  });

  it.each(entities)("drops what is older, of the entity type $type", (entity) => {
    const event = (id: string, sequence: number, status: string) =>
      JSON.stringify({ id, sequence, entity, data: { status } });
    const events = [event("event_2", 7, "new"), event("event_1", 5, "old"), event("event_3", 9, "newer")];
    writeFileSync(join(folder, "events.jsonl"), `${events.join("\n")}\n`);
    const said = execFileSync("sh", ["-c", program], { cwd: folder, encoding: "utf8" });
    expect(said).toBe("new: stored\nold: older than what is stored\nnewer: stored\n");
  });
});
