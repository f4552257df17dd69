import { type AddressInfo, createServer } from "node:net";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/**
 * One PostgreSQL server for the whole run, started when the first test of any worker asks for it over a local port. It belongs to this
 * process, so it is stopped however the tests end.
 */
export default async function setUp(): Promise<void> {
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
  };
}
