import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImportProgress } from "../../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { unavailable } from "../../../src/runtime/basis/errors.ts";
import { newFolder } from "../../support/folder.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { HARBOUR } from "../../workforce/bulk/bulk-kit.ts";
import { gatehouse, openStub } from "../command-line.ts";

const TEXT = `${Object.values(HARBOUR)
  .map((line) => JSON.stringify(line))
  .join("\n")}\n`;

describe("gatehouse import and export", () => {
  withScope((closeLater) => {
    let folder: string;
    let run: (...words: string[]) => ReturnType<typeof gatehouse>;
    const put = async (name: string, content: string | Buffer): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    };

    beforeEach(async () => {
      folder = newFolder("gh-bulk-");
      const { dataDirectory } = await openGatehouse(closeLater);
      run = (...words) => gatehouse([...words, "--data-directory", dataDirectory]);
    });

    it("imports a file, says so, and recognizes the file again", async () => {
      const path = await put("file.jsonl", TEXT);
      expect(await run("import", path)).toEqual({
        exitCode: 0,
        stdout: "11 lines imported, 0 unchanged, 0 bad.\n",
        stderr: "",
      });
      const again = await run("import", path);
      expect(again.stderr).toContain("This was imported before (11 lines), and nothing is left to do.");
      const renamed = await run("import", path, "--import-id", "mine");
      expect(renamed.stdout).toBe("0 lines imported, 11 unchanged, 0 bad.\n");
    });

    it("continues after what is stored, and says so", async () => {
      const beginning = TEXT.split("\n").slice(0, 4).join("\n");
      await run("import", await put("beginning.jsonl", beginning), "--import-id", "mine");
      const whole = await run("import", await put("whole.jsonl", TEXT), "--import-id", "mine");
      expect(whole.stderr).toContain("Continuing behind line 4, where the import mine stopped.");
      expect(whole.stdout).toBe("11 lines imported, 0 unchanged, 0 bad.\n");
      const again = await run("import", join(folder, "whole.jsonl"), "--import-id", "mine");
      expect(again.stderr).toContain("This was imported before (11 lines), and nothing is left to do.");
    });

    it.each([
      ["that is longer, and continues within a line", (text: string) => `{"kind":"none"}\n${text}`],
      ["that is longer, and continues behind another line", (text: string) => text.replace("{", "\n")],
      ["that is shorter", (text: string) => text.slice(0, text.indexOf("\n") + 1)],
    ])("refuses another file under the id of an import: one %s (R-X430)", async (_, edit) => {
      const lines = TEXT.split("\n");
      await run("import", await put("first.jsonl", `${lines.slice(0, 4).join("\n")}\n`), "--import-id", "nightly");
      const other = await run("import", await put("second.jsonl", edit(TEXT)), "--import-id", "nightly");
      expect([other.exitCode, other.stdout]).toEqual([1, ""]);
      expect(other.stderr).toContain("The import nightly came to line 4");
      expect(other.stderr).toContain("Give --import-id another id");
    });

    it("reports bad lines with number and reason, imports the others, and ends with 1", async () => {
      const bad = Buffer.concat([
        Buffer.from(`\uFEFF${TEXT}\r\n`),
        Buffer.from("ff0a", "hex"),
        Buffer.from('{"kind":"te'),
      ]);
      const { exitCode, stdout, stderr } = await run("import", await put("bad.jsonl", bad));
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 1,
        stdout: "11 lines imported, 0 unchanged, 2 bad.\n",
        stderr:
          "line 13: The line is not UTF-8. Save the file in that encoding.\nline 14: The line is not JSON. Was it cut off?\n",
      });
    });

    it("gives one JSON document when asked for it, bad lines included", async () => {
      const ran = await run("import", await put("bad.jsonl", `${TEXT}no\n`), "--json");
      expect([ran.exitCode, ran.stderr]).toEqual([1, ""]);
      expect(JSON.parse(ran.stdout)).toMatchObject({
        complete: true,
        lines: 12,
        created: 11,
        bad: 1,
        badLines: [{ number: 12, reason: "The line is not JSON. Was it cut off?" }],
      });
    });

    it("imports all lines or none", async () => {
      const ran = await run("import", await put("bad.jsonl", `${TEXT}no\n`), "--all-or-nothing");
      expect([ran.exitCode, ran.stdout]).toEqual([1, "Nothing was imported: 1 bad line.\n"]);
      const { stdout } = await run("export");
      expect(stdout).toBe("");
    });

    it("exports to a file that only its owner can read, or to standard output; both can be imported", async () => {
      await run("import", await put("file.jsonl", TEXT));
      const path = join(folder, "export.jsonl");
      const ran = await run("export", path);
      expect([ran.exitCode, ran.stdout]).toEqual([0, `12 lines written to ${path}.\n`]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const { stdout } = await run("export", "--instance", "europe");
      expect(stdout).toBe(await readFile(path, "utf8"));
      expect((await run("import", path)).stdout).toBe("0 lines imported, 12 unchanged, 0 bad.\n");
    });

    it("exports lines or gives one document, not both to standard output", async () => {
      await run("import", await put("file.jsonl", TEXT));
      const refused = await run("export", "--json");
      expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
      expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "USAGE", reason: "lines_and_document" } });
      const path = join(folder, "export.jsonl");
      expect(JSON.parse((await run("export", path, "--json")).stdout)).toEqual({ file: path, lines: 12 });
    });

    it("never overwrites a file, and removes a partial one", async () => {
      const path = await put("there.jsonl", "mine");
      expect((await run("export", path)).exitCode).toBe(2);
      expect(await readFile(path, "utf8")).toBe("mine");
      const none = join(folder, "none.jsonl");
      expect((await run("export", none, "--instance", "Atlantis")).exitCode).toBe(2);
      await expect(stat(`${none}.partial`)).rejects.toThrow("ENOENT");
    });

    it("refuses a missing file, and a folder", async () => {
      const { exitCode, stderr } = await run("import", join(folder, "nothing"));
      expect(exitCode).toBe(2);
      expect(stderr).toContain("cannot be read: ENOENT.");
      expect((await run("import", folder)).stderr).toContain("it is not a regular file");
    });

    it("makes up a workforce that imports completely, the same one again, and nothing of it by another seed (R-X70)", async () => {
      const [one, other, another] = [join(folder, "one"), join(folder, "other"), join(folder, "another")];
      const size = ["--tenants", "4", "--workers", "300"];
      await run("seed", ...size, "--out", one);
      const { stderr } = await run("seed", ...size, "--out", other, "--emit-events");
      expect(stderr).toContain(`Next: gatehouse import ${other} --emit-events `);
      expect(await readFile(one, "utf8")).toBe(await readFile(other, "utf8"));
      await run("seed", ...size, "--seed", "another", "--out", another);
      const lines = new Set((await readFile(one, "utf8")).trimEnd().split("\n"));
      const others = (await readFile(another, "utf8")).trimEnd().split("\n");
      expect(others.filter((line) => lines.has(line))).toEqual([]);
      const seeded = await run("seed", ...size);
      expect([seeded.exitCode, seeded.stderr]).toEqual([0, ""]);
      const again = await run("seed", ...size);
      expect(again.stderr).toMatch(/nothing is left to do\. For other data, give another --seed\.\n$/);
      expect((await run("import", one)).stdout).toMatch(/^0 lines imported, [\d,]+ unchanged, 0 bad\.\n$/);
      const kinds = Map.groupBy(
        (await run("export")).stdout.trimEnd().split("\n"),
        (line) => (JSON.parse(line) as { kind: string }).kind,
      );
      expect([kinds.get("tenant")?.length, kinds.get("worker")?.length]).toEqual([4, 300]);
      const silent = await run(
        "seed",
        "--tenants",
        "2",
        "--workers",
        "5",
        "--emit-events",
        "--dry-run",
        "--out",
        "a b",
      );
      expect(silent.stderr).toContain(
        "Next: gatehouse seed --tenants 2 --workers 5 --seed gatehouse --emit-events --out 'a b' ",
      );
      const odd = await run("seed", "--tenants", "2", "--workers", "5", "--dry-run", "--seed", "\u001b[31mred\u0007");
      expect(odd.stderr).toContain("Next: gatehouse seed --tenants 2 --workers 5 --seed 'red '");
      const dry = await run("seed", "--tenants", "2", "--workers", "5", "--dry-run");
      expect(dry.stdout).toMatch(/^Lines that it would import: 1 instance, 2 tenants, .* 5 workers\.\n$/);
    });
  });
});

describe("gatehouse import while services come and go", () => {
  withScope((closeLater) => {
    const progress = (lastNumber: number, endOffset: number): ImportProgress => ({
      importId: "mine",
      lines: lastNumber,
      created: lastNumber,
      unchanged: 0,
      bad: 0,
      badLines: [],
      endOffset,
      lastNumber,
    });

    it("asks where to continue and sends the rest again", async () => {
      const folder = newFolder("gh-bulk-");
      const path = join(folder, "file.jsonl");
      await writeFile(path, "{}\n{}\n{}\n");
      let calls = 0;
      const numbers: number[][] = [];
      const stub = await openStub(closeLater, {
        bulk: {
          getImport: async () => ({ progress: calls === 0 ? progress(1, 3) : progress(2, 6) }),
          async importWorkforce(messages) {
            const sent: number[] = [];
            for await (const { lines } of messages) sent.push(...lines.map(({ number }) => number));
            numbers.push(sent);
            if (++calls === 1) throw unavailable("The store is busy.");
            return { progress: progress(3, 9) };
          },
        },
      });
      const ran = await stub.run(["import", path, "--import-id", "mine"]);
      expect([ran.exitCode, ran.stdout]).toEqual([0, "3 lines imported, 0 unchanged, 0 bad.\n"]);
      expect(numbers).toEqual([[2, 3], [3]]);
    });

    it("says by the lines themselves whether any are left, and by the file's numbers where it continues", async () => {
      const folder = newFolder("gh-bulk-");
      const path = join(folder, "file.jsonl");
      await writeFile(path, "{}\n\n\n{}\n\n");
      let stored = { ...progress(3, 5), lines: 1 };
      const stub = await openStub(closeLater, {
        bulk: {
          getImport: async () => ({ progress: stored }),
          async importWorkforce(messages) {
            for await (const _ of messages);
            stored = { ...progress(4, 8), lines: 2 };
            return { progress: stored };
          },
        },
      });
      const words = ["import", path, "--import-id", "mine"];
      expect((await stub.run(words)).stderr).toBe("Continuing behind line 3, where the import mine stopped.\n");
      // Behind the last line there is an empty one.
      expect((await stub.run(words)).stderr).toContain("was imported before (2 lines), and nothing is left to do.");
      // Tenants without workers, of which none is left.
      stored = progress(1, 0);
      expect((await stub.run(["seed", "--tenants", "2", "--workers", "0"])).stderr).toContain(
        "Continuing behind line 1",
      );
    });

    it("refuses a seed that is too long to call an instance after, and sends nothing", async () => {
      const stub = await openStub(closeLater, {});
      const seed = (length: number) => ["seed", "--tenants", "1", "--workers", "1", "--seed", "x".repeat(length)];
      const { exitCode, stdout, stderr } = await stub.run(seed(196));
      expect([exitCode, stdout, stub.received]).toEqual([2, "", []]);
      expect(stderr).toContain("It must have at most 195 characters.\nSee: gatehouse seed --help\n");
      expect((await stub.run([...seed(195), "--dry-run"])).exitCode).toBe(0);
    });

    it("shows on a terminal how far a dry run of a seed is, and removes that before its answer", async () => {
      const words = ["seed", "--tenants", "1", "--workers", "5", "--dry-run"];
      const shown = await gatehouse(words, { errorColumns: 100 });
      const [drawn, answer, ...rest] = shown.stderr.split("\r\u001B[K\n");
      expect(drawn).toMatch(/^\r█{4}░{16} {2}20 % {2}1 of 5 workers {2}/);
      expect([answer, rest]).toEqual([expect.stringContaining("gatehouse seed --tenants 1 --workers 5"), []]);
      const others = [await gatehouse(words), await gatehouse([...words, "--quiet"], { errorColumns: 100 })];
      expect(others.map(({ stderr }) => stderr.includes("█"))).toEqual([false, false]);
      expect(others.map(({ stdout }) => stdout)).toEqual([shown.stdout, shown.stdout]);
    });

    it("says so when no service answers", async () => {
      const folder = newFolder("gh-bulk-");
      const path = join(folder, "file.jsonl");
      await writeFile(path, "{}\n");
      const { exitCode, stderr } = await gatehouse(["import", path, "--socket-directory", folder]);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining("Gatehouse is not running")]);
    });
  });
});
