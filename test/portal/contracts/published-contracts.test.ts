import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { publishedContracts } from "../../../src/portal/contracts/published-contracts.ts";
import { type Answer, call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "contracts");
const files = readdirSync(FOLDER);

const text = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
const digestOf = (body: string): string => createHash("sha256").update(body).digest("hex");

/** The placeholder for an installation in the repository's files. */
const PLACEHOLDER = "http://localhost:8080";
const SERVERS: Readonly<Record<string, string>> = {
  "sign-on": "https://sign-on.example",
  gateway: "https://gateway.example",
  portal: "https://gateway.example",
};

interface Index {
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly sha256: string }[];
}

describe("the published contracts", () => {
  const portal = servedPortal();

  it.each(files)("%s comes with its version and the digest of what is sent (R-X17, R-X79)", async (file) => {
    const answer = await call(portal.url, `/contracts/${file}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-contract-sha256")).toBe(digestOf(answer.text));
    expect(answer.headers.get("x-contract-version")).toBe("1.3.1");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it.each(Object.entries(SERVERS))(
    "%s names the server that publishes it, in JSON and YAML (R-X171)",
    async (name, server) => {
      const json = await call(portal.url, `/contracts/${name}.json`);
      const yaml = await call(portal.url, `/contracts/${name}.yaml`);
      const bundle = JSON.parse(text(`${name}.json`), (_, value) =>
        typeof value === "string" ? value.replaceAll(PLACEHOLDER, server) : value,
      );
      const [described] = json.json<{ servers: { variables: Record<string, { default: string }> }[] }>().servers;
      expect(Object.values(described?.variables ?? {}).map((variable) => variable.default)).toEqual([server]);
      expect([json.text, yaml.text].filter((body) => body.includes(PLACEHOLDER))).toEqual([]);
      expect(json.json()).toEqual(bundle);
      expect(parse(yaml.text)).toEqual(bundle);
    },
  );

  it("are the bundles byte for byte where the installation is the one that they name", () => {
    const published = publishedContracts({ issuer: PLACEHOLDER, gatewayUrl: PLACEHOLDER });
    expect(files.filter((file) => String(published.get(file)?.body) !== text(file))).toEqual([]);
    expect([...published.keys()].toSorted()).toEqual(files.toSorted());
  });

  it.each(files)("%s is not sent again to a client that has it", async (file) => {
    const { headers } = await call(portal.url, `/contracts/${file}`);
    const again = await call(portal.url, `/contracts/${file}`, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("answers 412 where If-Match names another file, before If-None-Match (R-X420, RFC 9110 §13.1.1)", async () => {
    const ask = (headers: Record<string, string>) => call(portal.url, "/contracts/gateway.yaml", { headers });
    const tag = (await ask({})).headers.get("etag") ?? "";
    const answers = [
      await ask({ "if-match": tag }),
      await ask({ "if-match": "*" }),
      await ask({ "if-match": tag, "if-none-match": tag }),
      await ask({ "if-match": `W/${tag}` }),
      await ask({ "if-match": '"other"', "if-none-match": tag }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 412, 412]);
    expect(answers.at(-1)?.json()).toMatchObject({ code: "precondition_failed" });
  });

  const STRANGER = { origin: "https://viewer.example" };
  const corsOf = ({ headers }: Answer) =>
    ["allow-origin", "expose-headers"].map((name) => headers.get(`access-control-${name}`));

  it("can be asked about by a page of any origin, which has a copy: may it send If-None-Match, and read the tag? (R-X17, Fetch §4.8)", async () => {
    const asked = { "access-control-request-method": "GET", "access-control-request-headers": "if-none-match" };
    const preflight = await call(portal.url, "/contracts/gateway.json", {
      method: "OPTIONS",
      headers: { ...STRANGER, ...asked },
    });
    expect([preflight.status, preflight.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const allowed = ["origin", "methods", "headers"].map((name) =>
      preflight.headers.get(`access-control-allow-${name}`),
    );
    expect(allowed).toEqual(["*", "GET, HEAD", "authorization, content-type, if-none-match, traceparent"]);
    const first = await call(portal.url, "/contracts/gateway.json", { headers: STRANGER });
    const etag = first.headers.get("etag") ?? "";
    const again = await call(portal.url, "/contracts/gateway.json", {
      headers: { ...STRANGER, "if-none-match": etag },
    });
    const readable = ["*", "etag, x-contract-version, x-contract-sha256, x-request-id"];
    expect([first, again].map((one) => [one.status, ...corsOf(one)])).toEqual([
      [200, ...readable],
      [304, ...readable],
    ]);
  });

  it.each(["/", "/contracts", "/docs", "/sdks/x"])("of the portal alone: %s has no preflight (R-X17)", async (path) => {
    const answer = await call(portal.url, path, { method: "OPTIONS", headers: STRANGER });
    expect([answer.status, ...corsOf(answer)]).toEqual([405, null, null]);
  });

  it("have another entity tag at another installation", () => {
    const tagAt = (issuer: string) => publishedContracts({ issuer, gatewayUrl: issuer }).get("gateway.json")?.entityTag;
    expect(tagAt("https://one.example")).not.toBe(tagAt("https://two.example"));
    expect(tagAt("https://one.example")).toBe(tagAt("https://one.example"));
  });

  it("are listed, every file but the list, with size and digest of what is sent", async () => {
    const others = files.filter((file) => file !== "index.json");
    const wanted = await Promise.all(
      others.map(async (file) => {
        const { text: body } = await call(portal.url, `/contracts/${file}`);
        return { file, bytes: Buffer.byteLength(body), sha256: digestOf(body) };
      }),
    );
    const { files: listed } = (await call(portal.url, "/contracts/index.json")).json<Index>();
    const told = listed.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 }));
    expect(told.toSorted((a, b) => a.file.localeCompare(b.file))).toEqual(
      wanted.toSorted((a, b) => a.file.localeCompare(b.file)),
    );
  });

  it.each(["gateway.txt", "..%2fpackage.json", "index.yaml"])("answers 404 at %s", async (file) => {
    expect((await call(portal.url, `/contracts/${file}`)).status).toBe(404);
  });
});
