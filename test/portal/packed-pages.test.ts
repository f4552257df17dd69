import { call } from "../support/http.ts";
import { servedPortal } from "../support/portal-edge.ts";

describe("pages that are the same for everybody (R-X62)", () => {
  const portal = servedPortal();

  it.each([
    "/",
    "/docs/search",
    "/docs/search?q=worker",
    "/problems/client-not-found",
    "/problems/sign-on-invalid-grant",
  ])("are sent compressed to clients that accept it, and as they are to others: %s", async (path) => {
    const plain = await call(portal.url, path);
    const packed = await fetch(portal.url + path, { headers: { "accept-encoding": "gzip" } });
    expect([plain, packed].map(({ status }) => status)).toEqual([200, 200]);
    expect([plain, packed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
    expect([plain, packed].map(({ headers }) => headers.get("vary"))).toEqual(["accept-encoding", "accept-encoding"]);
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(plain.text.length / 1.5);
    expect(await packed.text()).toBe(plain.text);
  });

  it("leave out contracts, whose entity tags name their bytes (R-X171)", async () => {
    const { headers } = await fetch(`${portal.url}/contracts/gateway.json`, { headers: { "accept-encoding": "gzip" } });
    expect(headers.get("content-encoding")).toBeNull();
  });
});
