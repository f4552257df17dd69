import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { spawnTemporal, temporalCli, temporalReady } from "../harness/temporal-server.ts";
import { refusedPort } from "./refused-port.ts";

const HOST = "127.0.0.1";

/**
 * Starts the Temporal development server with its UI on 127.0.0.1, keeping its data in .gatehouse/temporal.sqlite, and
 * prints the UI's address. It stays behind the product, which shares the machine (decision 0078). Ends with its server:
 * with 0 when both were asked to end, otherwise with the server's code, or 1.
 * Usage: node tools/temporal-server.ts [--port 7233] [--ui-port 8233]
 */

/** Before the server starts: one that another program runs at the port would count as ready. @throws Error with its variable. */
async function assertFree(port: number, variable: string): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port, HOST), "listening");
  } catch (error) {
    const cure = `make temporal ${variable}=…`;
    throw new Error(refusedPort(error, { who: "The Temporal server", host: HOST, port, cure }));
  }
  probe.close();
  await once(probe, "close");
}

async function main(words: readonly string[]): Promise<void> {
  const after = (flag: string, fallback: number) =>
    words.includes(flag) ? Number(words[words.indexOf(flag) + 1]) : fallback;
  const [port, uiPort] = [after("--port", 7233), after("--ui-port", 8233)];
  await assertFree(port, "TEMPORAL_PORT");
  await assertFree(uiPort, "TEMPORAL_UI_PORT");
  const cli = temporalCli(true);
  mkdirSync(".gatehouse", { recursive: true, mode: 0o700 });
  const server = spawnTemporal(cli, { port, uiPort, store: join(".gatehouse", "temporal.sqlite"), behind: true });
  const ended = once(server, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  let isAskedToEnd = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      isAskedToEnd = true;
      server.kill("SIGTERM");
    });
  try {
    await temporalReady(cli, server, port);
  } catch (error) {
    // One that runs and does not answer would stay, and this program with it.
    server.kill("SIGTERM");
    throw error;
  }
  console.log(
    [
      `Temporal is ready at 127.0.0.1:${port}; its data is in .gatehouse/temporal.sqlite.`,
      "",
      `  The UI        http://127.0.0.1:${uiPort}/namespaces/default/workflows`,
      `  Gatehouse     make run TEMPORAL=1${port === 7233 ? "" : ` TEMPORAL_PORT=${port} TEMPORAL_UI_PORT=${uiPort}`}   (in another terminal)`,
      "  What to see   docs/operations/watching-temporal.md",
      "",
      "It has no login: leave it on this machine. Ctrl-C ends it.",
    ].join("\n"),
  );
  const [code, endedBy] = await ended;
  if (code === null && !isAskedToEnd) throw new Error(`The Temporal server was ended by ${endedBy}.`);
  process.exitCode = code ?? 0;
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`temporal-server: ${(error as Error).message}`);
    process.exitCode = 1;
  });
}
