import { rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { newOwnedFolder } from "./memory.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/**
 * One folder for the stores of the whole run, and one PostgreSQL server, started when the first test of any worker asks for it over a local
 * port. Both belong to this process, so they go however the tests end.
 */
export default async function setUp(): Promise<void> {
  const folder = newOwnedFolder("gh-run-");
  process.env.GATEHOUSE_TEST_FOLDER = folder;
  let starting: Promise<PostgresServer> | undefined;
  const starter = createServer((socket) => {
    starting ??= startPostgres();
    socket.on("error", () => undefined);
    starting.then(
      ({ directory }) => socket.end(JSON.stringify({ directory })),
      (error) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => starter.listen(0, "127.0.0.1", resolve));
  starter.unref();
  process.env.GATEHOUSE_TEST_STARTER = String((starter.address() as AddressInfo).port);
  (globalThis as { stopTestParts?: () => Promise<void> }).stopTestParts = async () => {
    starter.close();
    await starting?.then((server) => server.stop()).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
}
