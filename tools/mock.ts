import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { likeProduct } from "./mock/like-product.ts";
import { refusedPort } from "./refused-port.ts";
import { APIS, mergedDocument, operationsOf, readContract } from "./sdks/merged-document.ts";

/**
 * Runs a mock of sign-on and gateway at one address, as the product has them: Prism over both contracts, answering with their named
 * examples. Ends with Ctrl-C. Usage: node tools/mock.ts [port], by default 4010.
 */

const HOST = "127.0.0.1";
const [given = "4010"] = process.argv.slice(2);
const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
if (port < 1 || port > 65_535) {
  console.error("A port is a whole number from 1 to 65535: node tools/mock.ts 4010");
  process.exit(2);
}
const folder = join(".cache", "mock");
/** Of this mock alone: Prism begins again, at another port, when its document is written. */
const document = join(folder, `openapi-${process.pid}.json`);

/** Of the contracts' examples, as in every answer of the mock. */
const REQUEST_ID = String(readContract("gateway").components.headers?.XRequestId?.example);
/** Matches the addresses of a path of a contract. */
const addressOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
const addresses = APIS.flatMap(({ name }) => Object.keys(readContract(name).paths).map(addressOf));
/**
 * The answer to OPTIONS at each address that has one: all of the gateway, and those of sign-on that pages of other origins may call. Prism
 * answers preflights by itself.
 */
const answersToOptions = APIS.flatMap(({ name }) => {
  const { paths, "x-options": isAnswered } = readContract(name);
  return Object.entries(paths).flatMap(([template, item]) => {
    const isForPages = "x-cors" in item;
    if (isAnswered === undefined && !isForPages) return [];
    const methods = operationsOf(item).map(([method]) => method.toUpperCase());
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
    const headers = { "x-request-id": REQUEST_ID, allow, ...(isForPages && { vary: "Origin" }) };
    return [{ address: addressOf(template), headers }];
  });
});

const WHAT_IS_HERE =
  "The mock answers at the addresses of the contracts of sign-on and gateway alone: generated/contracts/sign-on.yaml, " +
  "generated/contracts/gateway.yaml. What else it can be asked for is in docs/mock-and-sdks.md.";
/** As the gateway says it. */
const problem = (status: number, title: string, code: string, detail: string): string =>
  JSON.stringify({ type: "about:blank", title, status, detail, code, message: detail, requestId: REQUEST_ID });
const NOT_FOUND = problem(404, "Not found", "not_found", WHAT_IS_HERE);
/** To a path that Prism would end by. */
const UNREADABLE = problem(
  400,
  "Invalid request",
  "invalid_request",
  "The request has malformed percent-encoding in its path.",
);
const PROBLEM_HEADERS = { "content-type": "application/problem+json", "x-request-id": REQUEST_ID };

mkdirSync(folder, { recursive: true });
writeFileSync(document, JSON.stringify(mergedDocument()));
/** What Prism writes at this level and users of the mock need not read. */
const PROGRESS = /(?: {2}info|…\s+awaiting|✔\s+success|▶\s+start) /;
// Answers exactly the contract's examples, without random values; a request that breaks the contract gets the
// contract's own refusal.
const prism = spawn(
  join("node_modules", ".bin", "prism"),
  // A port that the system gives, since one that is chosen here may be another's by then; at this level Prism says which.
  ["mock", document, "--port", "0", "--verboseLevel", "info"],
  { stdio: ["inherit", "pipe", "inherit"] },
);
const prismPort = new Promise<number>((resolve) => {
  createInterface(prism.stdout).on("line", (line) => {
    const [, listensAt] = /Prism is listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (listensAt !== undefined) resolve(Number(listensAt));
    else if (!PROGRESS.test(line)) console.log(line);
  });
});
// Whatever ends this program, nothing of it stays.
process.on("exit", () => {
  prism.kill();
  rmSync(document, { force: true });
});
let isAskedToEnd = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    isAskedToEnd = true;
    prism.kill(signal);
  });
// Without a code it was ended by a signal: by ours, or by one that nobody of us has sent.
prism.on("exit", (code) => process.exit(code ?? (isAskedToEnd ? 0 : 1)));
const behind = await prismPort;
// A client that leaves while it sends takes its request along.
const front = createServer((asked, reply) => void answer(asked, reply).catch(() => reply.destroy())).listen(port, HOST);
front.on("error", (error) => {
  console.error(refusedPort(error, { who: "The mock", host: HOST, port, cure: "make mock PORT=…" }));
  process.exit(1);
});
front.on("listening", () =>
  console.log(`The mock answers at http://${HOST}:${port}. The header Prefer chooses the answer:
  curl -H 'x-api-key: any' http://${HOST}:${port}/v1/instance-integrations
  curl -H 'x-api-key: any' -H 'Prefer: code=401' http://${HOST}:${port}/v1/instance-integrations
docs/mock-and-sdks.md says more.`),
);

/**
 * Prism's answer. It refuses HEAD and OPTIONS, which the contract describes once for all operations. The page behind a cursor is the last
 * one: the contract's only example of a link leads to that page again. Prism never answers a body that is not JSON where it should be: it is
 * sent one that is JSON and breaks the contract as well.
 */
async function answer(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
  const [path = "", ...more] = (asked.url ?? "").split("?");
  const query = more.join("?");
  const isPreflight = asked.headers["access-control-request-method"] !== undefined;
  const toOptions = answersToOptions.find(({ address }) => address.test(path));
  if (asked.method === "OPTIONS" && !isPreflight && toOptions !== undefined) {
    reply.writeHead(204, toOptions.headers).end();
    return;
  }
  if (!addresses.some((address) => address.test(path))) {
    reply.writeHead(404, PROBLEM_HEADERS).end(NOT_FOUND);
    return;
  }
  if (!isDecodable(path)) {
    reply.writeHead(400, PROBLEM_HEADERS).end(UNREADABLE);
    return;
  }
  const isSecondPage = new URLSearchParams(query).has("cursor");
  const method = asked.method === "HEAD" ? "GET" : asked.method;
  const sent = await buffer(asked);
  const isJson = asked.headers["content-type"]?.startsWith("application/json") === true;
  const body = isJson && parsed(sent) === undefined ? Buffer.from("null") : sent;
  const { "transfer-encoding": _, ...kept } = asked.headers;
  const headers: OutgoingHttpHeaders = { ...kept, "content-length": body.length };
  headers.prefer ??= likeProduct({
    method: method ?? "",
    path,
    query: new URLSearchParams(query),
    headers: asked.headers,
    body: isJson ? membersOf(body) : Object.fromEntries(new URLSearchParams(body.toString())),
  });
  if (headers.prefer === undefined) delete headers.prefer;
  const options = { host: HOST, port: behind, path: asked.url, method, headers };
  const forwarded = request(options, (given) => {
    const { statusCode = 502, rawHeaders } = given;
    reply.writeHead(statusCode, isSecondPage ? withoutLink(rawHeaders) : withOwnLink(rawHeaders, asked.headers.host));
    given.pipe(reply);
  });
  forwarded.on("error", () => reply.destroy());
  forwarded.end(body);
}

const membersOf = (body: Buffer): Readonly<Record<string, unknown>> => Object(parsed(body));

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The value of a text that is JSON; `undefined` for any other. */
function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

/** Names and values in turn, as Node.js has them. */
function withoutLink(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !isOfLink(rawHeaders, at));
}

/** The example of a link names a gateway: who follows it would leave the mock. */
function withOwnLink(rawHeaders: readonly string[], host = `${HOST}:${port}`): string[] {
  return rawHeaders.map((text, at) =>
    isOfLink(rawHeaders, at) ? text.replace(/^<https?:\/\/[^/]+/, `<http://${host}`) : text,
  );
}

const isOfLink = (rawHeaders: readonly string[], at: number): boolean =>
  rawHeaders[at - (at % 2)]?.toLowerCase() === "link";
