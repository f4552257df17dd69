import { createServer, type Server } from "node:http";
import type { ListenOptions } from "node:net";
import { requestListener } from "./request-listener.ts";
import { readSettings, type Settings, SettingsError } from "./settings.ts";

/** Exit codes: of any failure at the start, and of a port that another program uses, which its starter may mend. */
const EXIT = { failed: 1, portTaken: 98 } as const;

const settings = settingsOrExit();
const { port: statedPort, protocol } = new URL(settings.sampleUrl);
const port = Number(statedPort || (protocol === "https:" ? 443 : 80));
const handle = requestListener(settings);

// Browsers resolve "localhost" to either of the two; a demo must not be reachable from other machines.
const servers = [
  await listening({ host: "127.0.0.1", port }),
  await listening({ host: "::1", port, ipv6Only: true }),
].filter((server) => server !== undefined);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    for (const server of servers) server.close().closeAllConnections();
    process.exit(0);
  });
}

console.log(`The sample integrator is ready at ${settings.sampleUrl}`);

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return exit(`The sample integrator cannot start:\n${error.problems.map((problem) => `  - ${problem}`).join("\n")}`);
  }
}

/** Resolves with the server, or with undefined when this machine has no such address (IPv6 switched off). */
function listening(options: ListenOptions): Promise<Server | undefined> {
  const server = createServer({ requestTimeout: 15_000 }, handle);
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve(undefined);
      else if (error.code === "EADDRINUSE")
        exit(`Port ${options.port} is taken on ${options.host}: stop what uses it.`, EXIT.portTaken);
      else exit(`The sample integrator cannot listen on ${options.host} port ${options.port} (${error.code}).`);
    });
    server.listen(options, () => resolve(server));
  });
}

function exit(message: string, code: number = EXIT.failed): never {
  console.error(message);
  process.exit(code);
}
