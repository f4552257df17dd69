import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { runUntilReaderLeft } from "../support/lost-reader.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { openStub } from "./command-line.ts";

describe("a reader that left (`… | head`)", () => {
  it.each(["--help", "serve --help", "config --issuer=https://login.example.com", "completion bash"])(
    "is no error of gatehouse %s",
    async (words) => {
      const { exitCode, stderr } = await runUntilReaderLeft(["src/main.ts", ...words.split(" ")]);
      expect([exitCode, stderr]).toEqual([0, ""]);
    },
  );

  it("has its own exit code of a mistake that nobody reads", async () => {
    const { exitCode } = await runUntilReaderLeft(["src/main.ts", "tenants", "lst"]);
    expect(exitCode).toBe(2);
  });

  withScope((closeLater) => {
    it("ends an export, which would send a whole workforce to nobody", async () => {
      let sent = 0;
      let isOver = false;
      const { socketDirectory } = await openStub(closeLater, {
        bulk: {
          async *exportWorkforce() {
            try {
              // As many as a reader takes.
              while (sent < 100_000) {
                yield { lines: [JSON.stringify({ kind: "worker", name: "x".repeat(60_000) })] };
                sent++;
                await sleep(1);
              }
            } finally {
              isOver = true;
            }
          },
        },
      });
      const words = ["export", "--socket-directory", socketDirectory] as const;
      const { exitCode, taken, stderr } = await runUntilReaderLeft(["src/main.ts", ...words], { lines: 1 });
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(taken).toContain('{"kind":"worker"');
      // The server learns that the program has gone a moment after it.
      expect(await eventually(async () => isOver, Boolean)).toBe(true);
      expect(sent).toBeLessThan(1_000);
    });
  });
});

describeWith(
  { name: "a full disk", missing: existsSync("/dev/full") ? undefined : "There is no /dev/full." },
  "a disk that is full (`… > file`)",
  () =>
    it.each([
      ["gatehouse", "src/main.ts --help"],
      ["gatehouse", "src/main.ts completion bash"],
      ["gatehouse", "src/main.ts config --issuer=https://login.example.com"],
      ["gatehouse-webhooks", "desk/bin/gatehouse-webhooks.js listen --help"],
    ])("is told by %s in two lines: %s", (program, words) => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(process.execPath, words.split(" "), {
        encoding: "utf8",
        env: { PATH: process.env.PATH },
        stdio: ["ignore", full, "pipe"],
      });
      closeSync(full);
      expect([status, stderr]).toEqual([
        1,
        `${program}: Standard output is not whole: ENOSPC: no space left on device, write.\nMake room, or print elsewhere.\n`,
      ]);
    }),
);
