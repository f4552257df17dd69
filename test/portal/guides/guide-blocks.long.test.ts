import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Gatehouse } from "#generated/sdk/typescript/dist/gatehouse.js";
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { type CodeBlock, codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import { follow, followAtRoot } from "./support/following.ts";
import { openPlace, type Place, VISITOR } from "./support/place.ts";
import { Reader } from "./support/reader.ts";

/** Other languages, and what a registry is needed for, are run with their toolchains: test/sdk/guides.check.ts. */
const isRunHere = ({ language, text }: CodeBlock): boolean =>
  [undefined, "curl", "openssl", "TypeScript"].includes(language) && !/^npm install (?!--no-audit)/m.test(text);

const written = (name: string): readonly CodeBlock[] =>
  codeBlocks(readFileSync(join("generated", "docs", "guides", `${name}.md`), "utf8"));

const cases = guides()
  .map(({ name }) => name)
  .map((name) => ({ name, blocks: written(name).map(({ text }, index) => ({ index, begins: text.slice(0, 70) })) }));

describe.each(cases)("the blocks of $name, as printed (R-X190)", ({ name, blocks }) =>
  withScope((closeLater) => {
    let place: Place;
    let reader: Reader;
    let served: readonly CodeBlock[];
    beforeAll(async () => {
      place = await openPlace(closeLater);
      reader = await Reader.begin(place.handOver, place.gatehouse.dataDirectory);
      closeLater(() => reader.end());
      // What `npm install` would bring.
      const packages = {
        "gatehouse-sdk": "generated/sdk/typescript",
        "openid-client": "node_modules/openid-client",
        "@grpc/grpc-js": "examples/platform/node_modules/@grpc/grpc-js",
        "@grpc/proto-loader": "examples/platform/node_modules/@grpc/proto-loader",
        "@stoplight/prism-cli": "node_modules/@stoplight/prism-cli",
      };
      await reader.findPackages(packages);
      served = codeBlocks((await call(place.gatehouse.url, `/docs/guides/${name}.md`)).text);
    });

    it.each(blocks)("$index: $begins", async ({ index }) => {
      const ran = await follow(served[index] as CodeBlock, reader, place, isRunHere);
      expect(ran.silent).toEqual([]);
      expect(ran.output).toContain(ran.shows);
      expect(ran.visit).toEqual({ shown: expect.stringContaining(VISITOR), iconStatus: 404 });
      expect(ran.status).toBe(0);
    });

    if (name === "test-against-the-mock")
      it("leaves a mock behind that an SDK reads, and gets the answers of that it chooses", async () => {
        const gatehouse = new Gatehouse({ baseUrl: "http://127.0.0.1:4010", apiKey: "any", retries: 0 });
        const [integration] = await gatehouse.instanceIntegrations();
        const instanceIntegrationId = present(integration).id;
        const [client] = await gatehouse.clients(instanceIntegrationId);
        const one = { instanceIntegrationId, clientId: present(client).id };
        expect((await gatehouse.gateway.listWorkersV2(one)).length).toBeGreaterThan(0);
        await expect(gatehouse.gateway.listWorkersV2(one, { headers: { Prefer: "code=429" } })).rejects.toMatchObject({
          status: 429,
          code: "too_many_requests",
        });
      });

    if (name === "quickstart")
      it("signs a person in where the redirect URI is the first page of the program, too", async () => {
        const { output, shows, visit } = await followAtRoot(served, reader, place, isRunHere);
        expect(output).toContain(shows);
        expect(visit).toEqual({ shown: expect.stringContaining(VISITOR), iconStatus: 404 });
      });
  }),
);

describe("what the guides start with TLS", () => {
  const started = cases.flatMap(({ name }) =>
    written(name).flatMap(({ text }) => (/--issuer https:\/\/localhost/.test(text) ? [{ name, text }] : [])),
  );

  it("is there", () => expect(started).not.toEqual([]));

  it.each(started)("does not bind a browser's other programs on localhost to TLS: $name", ({ text }) => {
    expect(text).toContain("--hsts-max-age-seconds 0");
  });
});
