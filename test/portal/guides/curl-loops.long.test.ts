import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CodeBlock, codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import { COLLEAGUES, openPlace, type Place } from "./support/place.ts";
import { Reader } from "./support/reader.ts";

/** The address of a proxy whose answers have `Link` in place of `link`, and the addresses within as the proxy's own. */
async function capitalising(origin: string, closeLater: (closer: () => Promise<void>) => void): Promise<string> {
  const capital = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  const server = createServer(async (request, response) => {
    const headers = { "x-api-key": String(request.headers["x-api-key"]) };
    const answer = await call(origin, request.url ?? "/", { headers });
    for (const [name, value] of answer.headers)
      if (!OF_THE_HOP.includes(name)) response.setHeader(capital(name), value.replaceAll(origin, address));
    response.writeHead(answer.status).end(answer.text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closeLater(async () => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return address;
}

const OF_THE_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"];

describe.each([
  { name: "quickstart", entry: '"fullName"' },
  { name: "read-the-gateway", entry: '"id":"worker_' },
])("the curl loop of $name, which reads every worker", ({ name, entry }) =>
  withScope((closeLater) => {
    let place: Place;
    let reader: Reader;
    let loop: CodeBlock;
    beforeAll(async () => {
      place = await openPlace(closeLater);
      reader = await Reader.begin(place.handOver);
      closeLater(() => reader.end());
      const { text } = await call(place.gatehouse.url, `/docs/guides/${name}.md`);
      loop = present(codeBlocks(text).find((block) => block.text.includes("while [")));
    });

    it("waits when the gateway has had too many requests, and reads every worker", async () => {
      const { secret } = await place.gatehouse.workforce.issueApiKey({
        integrationId: place.world.integrationId,
        label: "slow",
        rateLimit: { perSecond: 1, burst: 1 },
        scopes: [],
      });
      await reader.take("API_KEY", secret);
      const { status, output } = await reader.follow(loop);
      expect(output.match(new RegExp(entry, "gm"))).toHaveLength(COLLEAGUES.length);
      expect(status).toBe(0);
    });

    it("reads every page behind a proxy that writes the names of header fields with capitals (RFC 9110 §5.1)", async () => {
      await reader.take("API_KEY", place.world.apiKey);
      const proxy = await capitalising(place.gatehouse.url, closeLater);
      const { status, output } = await reader.follow({
        ...loop,
        text: loop.text.replaceAll(place.gatehouse.url, proxy).replace("limit=200", "limit=2"),
      });
      expect(output.match(new RegExp(entry, "gm"))).toHaveLength(COLLEAGUES.length);
      expect(status).toBe(0);
    });

    it("stops at a key that is wrong, says so, and fails", async () => {
      await reader.take("API_KEY", "wrong");
      const { status, output } = await reader.follow(loop);
      expect(output).toContain("401");
      expect(output).toContain('"code":"unauthorized"');
      expect(status).not.toBe(0);
    });

    it("stops when a later page is refused, says so, and fails", async () => {
      await reader.take("API_KEY", place.world.apiKey);
      // One of the refusals that waiting does not mend.
      const broken = { ...loop, text: loop.text.replace("workers?limit=", "nobody?limit=") };
      const { status, output } = await reader.follow(broken);
      expect(output).toContain("404");
      expect(status).not.toBe(0);
    });
  }),
);
