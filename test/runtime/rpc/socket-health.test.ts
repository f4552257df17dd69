import { createServer } from "node:net";
import { join } from "node:path";
import { socketServes } from "../../../src/runtime/rpc/socket-health.ts";
import { serveSocket } from "../../../src/runtime/rpc/socket-server.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { newFolder } from "../../support/folder.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { echo } from "./echo.ts";

describe("whether a process serves behind a socket (R-X184)", () => {
  const closeLater = closingAfterAll();
  let folder: string;
  beforeAll(() => {
    folder = newFolder("gh-health-");
  });

  it("it does while its server says so", async () => {
    const path = join(folder, "serving", "edge.sock");
    const registrations = [echo({ say: async (request) => request })];
    const server = await serveSocket({ path, peer: "edge", registrations, interceptors: quietBoundary() });
    closeLater(() => server.stop(0));
    expect(await socketServes(path)).toBe(true);
    server.serving(false);
    expect(await socketServes(path)).toBe(false);
    server.serving(true);
    expect(await socketServes(path)).toBe(true);
  });

  it("it does not where nobody listens", async () => {
    expect(await socketServes(join(folder, "none.sock"))).toBe(false);
  });

  it("it does not when it accepts connections and has not answered after 1.5 seconds", async () => {
    const path = join(folder, "hangs.sock");
    const hanging = createServer((socket) => closeLater(async () => void socket.destroy()));
    await new Promise<void>((resolve) => hanging.listen(path, resolve));
    closeLater(async () => void hanging.close());
    expect(await socketServes(path)).toBe(false);
    // Without the limit of 1.5 seconds it would wait for ever: the runner ends it, after the time of a busy machine.
  }, 10_000);
});
