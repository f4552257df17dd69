import { call } from "../support/http.ts";
import { servedPortal } from "../support/portal-edge.ts";

describe("odd requests to the portal keep its contract (R-D7, R-X18, R-X151)", () => {
  const portal = servedPortal();

  it.each([
    "/",
    "/docs",
    "/llms.txt",
    "/docs/gateway",
    "/contracts/gateway.json",
    "/problems/not-found",
    "/docs/guides/read-the-gateway",
    "/sdks/go.tgz",
    "/tools/gatehouse-webhooks.tgz",
    "/assets/none.css",
  ])("%s: a body is 400, other methods are 405, unused conditions and ranges are ignored", async (path) => {
    const plain = await call(portal.url, path);
    const odd = [
      await call(portal.url, path, { method: "GET", body: "x" }),
      await call(portal.url, path, { method: "POST", body: "x" }),
      await call(portal.url, path, { method: "QUERY" }),
      await call(portal.url, path, { method: "HEAD" }),
      await call(portal.url, path, { headers: { range: "bytes=0-1", "if-none-match": '"none"' } }),
    ];
    expect(odd.map(({ status }) => status)).toEqual([400, 405, 405, plain.status, plain.status]);
  });

  it.each([
    "/docs/%2e%2e",
    "/assets/%2e%2e%2fpackage.json",
    "/assets/..",
    `/docs/${"a".repeat(300)}`,
    "/docs/",
    "/assets",
    "/%64ocs",
  ])("%s is 404", async (path) => {
    expect((await call(portal.url, path, { unrouted: true })).status).toBe(404);
  });
});
