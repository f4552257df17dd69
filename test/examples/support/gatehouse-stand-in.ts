import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Answers with the contract's own examples where Gatehouse would answer with data. */
export interface GatehouseStandIn extends AsyncDisposable {
  readonly url: string;
  /** Every request so far: path and API key. */
  readonly requests: { path: string; apiKey: string | undefined }[];
  answer(path: string, status: number, body: unknown): void;
  /** Answers so far and no further: the rest of the body never comes. */
  stall(path: string, beginning: string): void;
}

export async function gatehouseStandIn(port = 0): Promise<GatehouseStandIn> {
  const answers = new Map<string, Answer>();
  const stalled = new Map<string, string>();
  const requests: GatehouseStandIn["requests"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const apiKey = request.headers["x-api-key"];
    requests.push({ path, apiKey: typeof apiKey === "string" ? apiKey : undefined });
    const beginning = stalled.get(path);
    if (beginning !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).write(beginning);
      return;
    }
    const { status, body } = answers.get(path) ?? {
      status: 404,
      body: JSON.stringify(example("gateway/problem-not-found")),
    };
    const problem = status !== 200 && path.startsWith("/v");
    response.writeHead(status, { "content-type": problem ? "application/problem+json" : "application/json" }).end(body);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const standIn: GatehouseStandIn = {
    url,
    requests,
    answer(path, status, body) {
      answers.set(path, { status, body: typeof body === "string" ? body : JSON.stringify(body) });
    },
    stall: (path, beginning) => void stalled.set(path, beginning),
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
  const discovery = JSON.stringify(example("sign-on/openid-configuration")).replaceAll("http://localhost:8080", url);
  standIn.answer("/.well-known/openid-configuration", 200, discovery);
  return standIn;
}

/** The value of a named example of the contract. */
// biome-ignore lint/suspicious/noExplicitAny: examples are data of many shapes, and the tests name the members they use.
export function example(name: string): any {
  const file = join(import.meta.dirname, `../../../openapi/examples/${name}.yaml`);
  return structuredClone(parse(readFileSync(file, "utf8")).value);
}
