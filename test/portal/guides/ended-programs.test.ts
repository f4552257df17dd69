import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { contract } from "../../contract/contracts.ts";
import { newFolder } from "../../support/folder.ts";
import { present } from "../../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const BELOW = "/v2/instance-integrations/";
const { examples } = contract("gateway").components as {
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
};

/**
 * A gateway whose lists of workers have no last page, each with a cursor of its own, and the discovery document of an
 * issuer.
 */
async function startStub(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? "/", url);
    const cursor = Number(searchParams.get("cursor") ?? 0) + 1;
    response.setHeader("content-type", "application/json");
    if (path.startsWith(BELOW)) response.setHeader("link", `<${url}${path}?limit=200&cursor=${cursor}>; rel="next"`);
    response.end(JSON.stringify(answerAt(path)));
  }).listen(0, "localhost");
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const answerAt = (path: string): unknown => {
    if (path.startsWith("/.well-known/")) return { issuer: url };
    if (path.startsWith(BELOW)) return Array.from({ length: 200 }, () => examples["worker-v2"]?.value);
    return examples[path.endsWith("/clients") ? "clients" : "instance-integrations"]?.value;
  };
  return { url, server };
}

describe("a program of the guides in TypeScript, as printed", () => {
  let folder: string;
  let stub: Awaited<ReturnType<typeof startStub>>;

  beforeAll(async () => {
    stub = await startStub();
    folder = newFolder("gh-ended-");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(ROOT, "generated", "sdk", "typescript"), join(folder, "node_modules", "gatehouse-sdk"));
    symlinkSync(join(ROOT, "node_modules", "openid-client"), join(folder, "node_modules", "openid-client"));
  });
  afterAll(async () => {
    stub.server.closeAllConnections();
    await new Promise((resolve) => stub.server.close(resolve));
  });

  /** Saves the file as a reader would, and starts it. */
  function start(guide: string, file: string) {
    const blocks = codeBlocks(readFileSync(join(ROOT, "docs", "guides", `${guide}.md`), "utf8"));
    const program = present(blocks.find((block) => block.file === file)).text;
    writeFileSync(join(folder, file), program.replaceAll(/https:\/\/(gateway|sign-on)\.example/g, stub.url));
    const { port } = new URL(stub.url);
    const env = {
      API_KEY: "ghk_any",
      WEBHOOK_SECRET: "whsec_Z2F0ZWhvdXNlIHB1Ymxpc2hlZCB0ZXN0IHZlY3RvciE=",
      SUBSCRIPTION_ENDPOINT: `${stub.url}/events`,
      PORT: port,
      APPLICATION_ID: "app_any",
      APPLICATION_SECRET: "ghs_any",
      REDIRECT_URI: `${stub.url}/callback`,
    };
    return spawn(process.execPath, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  }

  it.each([
    ["receive-events", "receive.ts"],
    ["receive-events", "keep.mjs"],
    ["local-development", "receiver.ts"],
    ["quickstart", "sign-in.ts"],
  ])("%s: %s says in one line that its port is taken", async (guide, file) => {
    const program = start(guide, file);
    const [said, [status]] = await Promise.all([text(program.stderr), once(program, "close")]);
    const sentence = expect.stringMatching(new RegExp(`address already in use .*:${new URL(stub.url).port}$`));
    expect([said.trim().split("\n"), status]).toEqual([[sentence], 1]);
  });

  it.each([
    ["quickstart", "read-workers.ts"],
    ["read-the-gateway", "read-everybody.ts"],
  ])("%s: %s ends without a word when its reader has seen enough, as `| head` has", async (guide, file) => {
    const program = start(guide, file);
    await once(program.stdout, "data");
    program.stdout.destroy();
    const [said, [status]] = await Promise.all([text(program.stderr), once(program, "exit")]);
    expect([said, status]).toEqual(["", 0]);
  });
});
