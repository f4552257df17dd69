import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";

describe("what operators have for themselves", () =>
  withScope((closeLater) => {
    let gatehouse: Gatehouse;
    beforeAll(async () => {
      gatehouse = await openGatehouse(closeLater, { carriage: "socket" });
    });

    const PATHS = ["/metrics", "/health/live", "/health/started", "/health/ready"];

    it.each(PATHS)("is served at the management address: %s", async (path) => {
      expect((await call(gatehouse.managementUrl, path, { contract: "unchecked" })).status).toBe(200);
    });

    it.each([
      ...PATHS,
      "//metrics",
      "/%6detrics",
      "/METRICS",
      "/v1/../metrics",
      "/gatehouse.sign_on.v1.OperatorService/CreateApplication",
      "/gatehouse.store.v1.StoreService/Status",
    ])("is not reached through the public listener: %s (S58)", async (path) => {
      const { status, text } = await call(gatehouse.url, path, { unrouted: true });
      expect([status, text.includes("gatehouse_")]).toEqual([404, false]);
      const asRpc = { method: "POST", headers: { "content-type": "application/grpc" }, body: "" };
      expect((await call(gatehouse.url, path, { ...asRpc, unrouted: true })).status).toBe(404);
    });

    it("is on sockets that no other account of the machine can open (S58)", () => {
      const folder = join(gatehouse.dataDirectory, "sockets");
      const sockets = readdirSync(folder).filter((name) => statSync(join(folder, name)).isSocket());
      const open = [".", ...sockets].filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
      expect(sockets).toContain("operator.sock");
      expect(open).toEqual([]);
    });
  }));
