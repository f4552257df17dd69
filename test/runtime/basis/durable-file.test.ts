import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFlushed } from "../../../src/runtime/basis/durable-file.ts";
import { newFolder } from "../../support/folder.ts";

describe("a file that is made and flushed", () => {
  let directory: string;
  beforeEach(() => {
    directory = newFolder("gatehouse-durable-file-");
  });

  it("has the whole text, and is refused where it exists", () => {
    const path = join(directory, "mark");
    createFlushed(path, "open\n");
    expect(readFileSync(path, "utf8")).toBe("open\n");
    expect(() => createFlushed(path, "closed\n")).toThrow("EEXIST");
    expect(readFileSync(path, "utf8")).toBe("open\n");
  });

  it("is refused where the disk takes a part of the text alone", () => {
    const path = join(directory, "mark");
    const module = join(import.meta.dirname, "../../../src/runtime/basis/durable-file.ts");
    const program = `import { createFlushed } from ${JSON.stringify(module)};
      try { createFlushed(${JSON.stringify(path)}, "x".repeat(100_000)); console.log("made"); } catch (error) { console.log(error.code); }`;
    // The system writes up to the limit, and says so in its answer alone.
    const { stdout } = spawnSync(
      "sh",
      ["-c", 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, program],
      {
        encoding: "utf8",
      },
    );
    expect(stdout.trim()).toBe("EFBIG");
  });
});
