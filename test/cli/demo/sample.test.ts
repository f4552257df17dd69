import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Sample, startSample } from "../../../src/cli/demo/sample.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";

const SAMPLE_MODULE = join(import.meta.dirname, "../../../src/cli/demo/sample.ts");
const URL_OF_SAMPLE = "http://localhost:8082";

describe("the sample integrator, started along", () => {
  withScope((closeLater) => {
    let folder: string;

    beforeEach(async () => {
      folder = newFolder("gh-sample-");
      await mkdir(join(folder, "src"));
    });

    /** A program in the sample's place. */
    const program = async (source: string) => {
      const names = ["openid-client", "gatehouse-sdk"];
      const dependencies = Object.fromEntries(names.map((name) => [name, "1.0.0"]));
      await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies }));
      for (const name of names) {
        await mkdir(join(folder, "node_modules", name), { recursive: true });
        await writeFile(join(folder, "node_modules", name, "package.json"), "{}");
      }
      await writeFile(join(folder, "src/main.ts"), source);
    };

    const start = async (lines: string[] = []): Promise<Sample> => {
      const sample = await startSample({
        demoFile: join(folder, "demo.json"),
        url: URL_OF_SAMPLE,
        folder,
        onEnd: (line) => void lines.push(line),
      });
      closeLater(() => sample.stop());
      return sample;
    };

    const listening = "console.log('The sample integrator is ready at x'); setInterval(() => {}, 1000);";

    it("runs once it says so, gets the file's path, and ends on request", async () => {
      const record = join(folder, "record");
      await program(
        `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(record)}, process.env.GATEHOUSE_DEMO_FILE + " " + process.pid); ${listening}`,
      );
      const lines: string[] = [];
      const sample = await start(lines);
      expect(sample.state).toEqual({ url: URL_OF_SAMPLE });
      const [file, pid] = (await readFile(record, "utf8")).split(" ");
      expect(file).toBe(join(folder, "demo.json"));
      await sample.stop();
      expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
      expect(lines).toEqual([]);
    });

    it.each(["openid-client", "gatehouse-sdk"])("names missing packages, and how to install them: %s", async (name) => {
      await program(listening);
      await rm(join(folder, "node_modules", name), { recursive: true });
      const { state } = await start();
      expect(state).toEqual({
        missing: expect.stringMatching(/packages are missing\. Run “make install-sample”, or “npm ci --omit=dev” in /),
      });
    });

    it("stops the start with one line when its port is taken", async () => {
      await program("console.error('In the words of the sample.'); process.exit(98);");
      await expect(start()).rejects.toMatchObject({
        name: "CannotStart",
        message: "Port 8082 is taken by another program. Set sample-url to another address.",
      });
    });

    it("leaves everything else running when it fails for its own reason", async () => {
      await program("console.error('No such luck.'); process.exit(1);");
      expect((await start()).state).toEqual({ missing: "The sample integrator did not start: No such luck." });
    });

    it("reports a later end, and is not started again", async () => {
      await program(`${listening} setTimeout(() => { console.error("Out of ideas."); process.exit(3); }, 100);`);
      const lines: string[] = [];
      await start(lines);
      await eventually(
        async () => lines.length,
        (count) => count > 0,
      );
      expect(lines).toEqual(["The sample integrator ended (exit code 3). Out of ideas."]);
    });

    it("ends when its starter is killed", async () => {
      const record = join(folder, "pid");
      await program(
        `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(record)}, String(process.pid)); ${listening}`,
      );
      const options = JSON.stringify({ demoFile: "x", url: URL_OF_SAMPLE, folder });
      const script = `const { startSample } = await import(${JSON.stringify(SAMPLE_MODULE)}); await startSample({ ...${options}, onEnd() {} }); console.log("up");`;
      const starter = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(starter.stdout, "data");
      const pid = Number(await readFile(record, "utf8"));
      starter.kill("SIGKILL");
      const isAlive = async () => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      };
      expect(await eventually(isAlive, (alive) => !alive)).toBe(false);
    });
  });
});
