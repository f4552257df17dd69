import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { call } from "../support/http.ts";
import { openProcesses } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld } from "../support/world.ts";

const CONNECTIONS = 400;

withScope((closeLater) => {
  it.each([
    ["idle connections", "GET /.well-known/openid-configuration HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    [
      "requests whose body does not come",
      "POST /auth/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\n",
    ],
  ])("a process that may open 256 files answers others, and its health, beside 400 %s (R-X388)", async (_, request) => {
    const gatehouse = await openProcesses(closeLater, {
      before: "ulimit -n 256",
      flags: { "public-host": "127.0.0.1" },
    });
    const { port } = new URL(gatehouse.url);
    const sockets: Socket[] = [];
    closeLater(async () => {
      for (const socket of sockets) socket.destroy();
    });
    for (let count = 0; count < CONNECTIONS; count++) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      sockets.push(socket);
      await once(socket, "connect");
      socket.write(request);
      socket.resume();
    }
    const page = await call(`http://127.0.0.1:${port}`, "/");
    const health = await fetch(`${gatehouse.managementUrl}/health/ready`);
    expect([page.status, health.status]).toEqual([200, 200]);
    await expect(makeWorld(gatehouse)).resolves.toBeDefined();
  });
});
