import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import type { Closer } from "../support/scope.ts";

const START_MS = 60_000;

/** Starts what `make mock` starts; resolves with its address when it answers. */
export async function startMock(closeLater: (closer: Closer) => void): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const mock = spawn(process.execPath, ["tools/mock.ts", String(port)], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [mock.stdout, mock.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  closeLater(async () => {
    if (mock.exitCode !== null) return;
    mock.kill("SIGTERM");
    await once(mock, "exit");
  });
  const until = Date.now() + START_MS;
  for (;;) {
    if (mock.exitCode !== null || Date.now() > until) throw new Error(`The mock did not start:\n${output}`);
    const answered = await fetch(`${url}/.well-known/jwks.json`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return url;
    await sleep(100);
  }
}
