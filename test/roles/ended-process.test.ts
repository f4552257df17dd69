import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "../support/free-port.ts";
import { newStoreFolder } from "../support/memory.ts";
import { withScope } from "../support/scope.ts";

describe("a process that ends itself, for a reason that only a restart can fix", () => {
  withScope((closeLater) => {
    it("is not ready while its parts stop, as after a signal (R-X35)", async () => {
      const dataDirectory = await newStoreFolder("gh-");
      closeLater(() => rm(dataDirectory, { recursive: true, force: true }));
      const words = [join(import.meta.dirname, "ending-process.ts"), dataDirectory, String(await freePort())];
      const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
      const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
      expect({ code, printed }).toEqual({ code: 75, printed: "200 ready\n503 draining\n" });
    });
  });
});
