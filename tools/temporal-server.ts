import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { spawnTemporal, temporalCli, temporalReady } from "../harness/temporal-server.ts";

/**
 * Starts the Temporal development server with its UI on 127.0.0.1, keeping its data in .gatehouse/temporal.sqlite, and
 * prints the UI's address. It stays behind the product, which shares the machine (decision 0078).
 * Usage: node tools/temporal-server.ts [--port 7233] [--ui-port 8233]
 */

async function main(words: readonly string[]): Promise<void> {
  const after = (flag: string, fallback: number) =>
    words.includes(flag) ? Number(words[words.indexOf(flag) + 1]) : fallback;
  const [port, uiPort] = [after("--port", 7233), after("--ui-port", 8233)];
  const cli = temporalCli(true);
  mkdirSync(".gatehouse", { recursive: true, mode: 0o700 });
  const server = spawnTemporal(cli, { port, uiPort, store: join(".gatehouse", "temporal.sqlite"), behind: true });
  const ended = new Promise<number>((resolve) => server.once("exit", (code) => resolve(code ?? 0)));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill("SIGTERM"));
  await temporalReady(cli, server, port);
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
  process.exitCode = await ended;
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`temporal-server: ${(error as Error).message}`);
    process.exitCode = 1;
  });
}
