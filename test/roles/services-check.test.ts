import { servicesCheck, socketPath } from "../../src/roles/carriers.ts";
import { serveSocket } from "../../src/runtime/rpc/socket-server.ts";
import { echo } from "../runtime/rpc/echo.ts";
import { quietBoundary } from "../support/carriers.ts";
import { newFolder } from "../support/folder.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { closingAfterAll } from "../support/scope.ts";

describe("an edge whose services are away", () => {
  const closeLater = closingAfterAll();

  it("says in its log when they went and when they came back, once each (R-X35)", async () => {
    const directory = newFolder("gh-services-");
    const log = recordedLog();
    const { check } = servicesCheck(directory, "edge", log);
    const away = "cannot be reached, stop, or do not reach their store";
    expect([await check(), await check()]).toEqual([away, away]);
    const path = socketPath(directory, "edge");
    const registrations = [echo({ say: async (request) => request })];
    const server = await serveSocket({ path, peer: "edge", registrations, interceptors: quietBoundary() });
    closeLater(() => server.stop(0));
    expect([await check(), await check()]).toEqual([undefined, undefined]);
    server.serving(false);
    expect([await check(), await check()]).toEqual([away, away]);
    const gone = { level: "warn", sentence: `Services ${away}.`, fields: { detail: path } };
    expect(log.lines).toEqual([gone, { level: "info", sentence: "Services serve again.", fields: {} }, gone]);
  });
});
