import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { desk } from "./support/desk.ts";
import { API_KEY, feedStandIn } from "./support/gateway.ts";

/** A program that is not the gateway: it answers everything with 200 and these bodies in turn. */
async function another(...bodies: readonly string[]): Promise<Server & { readonly url: string }> {
  let asked = 0;
  const server = createServer((_, response) => response.end(bodies[asked++ % bodies.length]));
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

describe("the gateway as the commands see it", () => {
  it.each([
    [404, "<!doctype html><title>Not found</title>"],
    [404, '{"error":"not_found"}'],
    [405, ""],
    [301, ""],
  ])("is not what answers %d with %j, however its address was misspelt", async (status, body) => {
    const other = createServer((_, response) => response.writeHead(status, { location: "/" }).end(body));
    await new Promise<void>((done) => void other.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api`;
    const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", url], { API_KEY });
    other.close();
    other.closeAllConnections();
    expect([err, exitCode]).toEqual([
      `desk: What answers at ${url} is not the gateway.\nCorrect --gateway (or GATEWAY_URL).\n`,
      3,
    ]);
  });

  it("has nothing below an address that names its version too, and the answer says which address is meant", async () => {
    const body = { code: "not_found", detail: "Nothing is offered at this address." };
    const gateway = createServer((_, response) => response.writeHead(404).end(JSON.stringify(body)));
    await new Promise<void>((done) => void gateway.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/v1`;
    const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", url], { API_KEY });
    gateway.close();
    gateway.closeAllConnections();
    expect([err, exitCode]).toEqual([
      "desk: Gatehouse refused: Nothing is offered at this address. (404, not_found)\nCorrect --gateway (or GATEWAY_URL): it is what comes before /v1.\n",
      1,
    ]);
  });

  it.each(["", "/", "//", "//other.invalid/..", "/?a=b#c"])(
    "is asked at the host of its address, also with %j behind it",
    async (rest) => {
      const gateway = await feedStandIn();
      try {
        const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", gateway.url + rest], { API_KEY });
        expect([err, exitCode, gateway.triggered]).toEqual(["", 0, ["user.updated"]]);
      } finally {
        await gateway.close();
      }
    },
  );

  it.each([
    ["<!doctype html>"],
    ["null"],
    ["[]"],
    ["{}"],
    ['{"data":[{}]}'],
    ['{"data":[],"next":1}'],
    ['{"data":[],"next":"c"}'],
    ['{"data":[],"next":"a"}', '{"data":[],"next":"b"}', '{"data":[],"next":"c"}'],
    [""],
  ])("is not what answers with %s", async (...bodies) => {
    const other = await another(...bodies);
    try {
      for (const words of [
        ["trigger", "user.updated"],
        ["listen", "--forward-to", "http://localhost:3000/"],
      ]) {
        const { exitCode, err } = await desk([...words, "--gateway", other.url], { API_KEY });
        expect([err, exitCode]).toEqual([
          `desk: What answers at ${other.url}/ is not the gateway.\nCorrect --gateway (or GATEWAY_URL).\n`,
          3,
        ]);
      }
    } finally {
      other.close();
      other.closeAllConnections();
    }
  });
});
