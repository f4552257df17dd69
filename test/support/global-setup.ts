import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/**
 * One PostgreSQL server for the whole run, started when the first test of any worker asks for it over a socket. It belongs to this
 * process, so it is stopped however the tests end.
 */
export default async function setUp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gh-run-"));
  const path = join(folder, "postgres.sock");
  let starting: Promise<PostgresServer> | undefined;
  const starter = createServer((socket) => {
    starting ??= startPostgres();
    socket.on("error", () => undefined);
    starting.then(
      ({ directory }) => socket.end(JSON.stringify({ directory })),
      (error) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => starter.listen(path, resolve));
  starter.unref();
  process.env.GATEHOUSE_TEST_STARTER = path;
  (globalThis as { stopTestParts?: () => Promise<void> }).stopTestParts = async () => {
    starter.close();
    await starting?.then((server) => server.stop()).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
}
