import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { BulkService } from "../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { gatehouse } from "../cli/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { MAIN, openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";

const WORKERS = 12_000;

/** An import as a process of its own, that signals can reach. */
function startImport({ dataDirectory }: ProcessGatehouse, path: string) {
  const { PATH = "", HOME = "" } = process.env;
  const words = [MAIN, "import", path, "--import-id", "big", "--data-directory", dataDirectory];
  const child = spawn(process.execPath, words, { env: { PATH, HOME }, stdio: ["ignore", "pipe", "pipe"] });
  const written: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => written.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => written.push(chunk));
  const exited = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    child,
    async ended() {
      const [code] = await exited;
      return { code, output: Buffer.concat(written).toString("utf8") };
    },
  };
}

describe("an import that is interrupted", () => {
  withScope((closeLater) => {
    let product: ProcessGatehouse;
    let path: string;
    let lines: number;

    beforeEach(async () => {
      const folder = newFolder("gh-import-");
      path = join(folder, "seed.jsonl");
      const words = ["seed", "--tenants", "3", "--workers", String(WORKERS), "--out", path, "--json"];
      lines = (JSON.parse((await gatehouse(words)).stdout) as { lines: number }).lines;
      product = await openProcesses(closeLater);
    });

    const stored = async (): Promise<number> => {
      const carrier = socketCarrier(join(product.dataDirectory, "sockets", "platform.sock"));
      const { getImport } = carrier.connect(BulkService);
      const found = await getImport({ importId: "big" }).catch(() => ({ progress: null }));
      await carrier.close();
      return found.progress?.lines ?? 0;
    };
    const underWay = () => eventually(stored, (count) => count > 0);

    it("by kill -9 of Gatehouse continues after the restart; each line is handled once", async () => {
      const importing = startImport(product, path);
      await underWay();
      await product.programs.all?.end("SIGKILL");
      await product.restart("all");
      const { code, output } = await importing.ended();
      expect(output).toBe(`${lines.toLocaleString("en")} lines imported, 0 unchanged, 0 bad.\n`);
      expect(code).toBe(0);
      expect(await stored()).toBe(lines);
    });

    it.each(["SIGINT", "SIGHUP"] as const)("by %s says how to continue, and the same command does", async (signal) => {
      const importing = startImport(product, path);
      await underWay();
      importing.child.kill(signal);
      const { code, output } = await importing.ended();
      expect([code, output]).toEqual([1, expect.stringContaining(`Next: gatehouse import ${path} --import-id big`)]);
      const before = await stored();
      expect(before).toBeLessThan(lines);
      const again = await startImport(product, path).ended();
      expect(again.output).toContain(`Continuing behind line ${before.toLocaleString("en")}`);
      expect(again.output).toContain(`${lines.toLocaleString("en")} lines imported, 0 unchanged, 0 bad.`);
    });
  });
});
