import { Agent, type IncomingMessage, request as startRequest } from "node:http";
import { request as startTlsRequest } from "node:https";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

export interface CallInit {
  /** GET unless given; POST when there is a body. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is; give a content-type yourself. */
  readonly body?: string | Buffer;
  /** Sent as application/json. */
  readonly json?: unknown;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  /** The request is refused before an operation is chosen, though path and method name one. */
  readonly unrouted?: boolean;
  /** `"unchecked"`: for servers that are not ours, and answers that are no HTTP any more. */
  readonly contract?: "unchecked";
  /** For https always, one that trusts the server's authority. */
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Decoded, whatever content coding it came in. */
  readonly text: string;
  json<T = unknown>(): T;
}

function bodyOf({ body, json, form }: CallInit): { readonly type?: string; readonly bytes?: Buffer } {
  if (json !== undefined) return { type: "application/json", bytes: Buffer.from(JSON.stringify(json)) };
  if (form !== undefined) {
    const pairs = Symbol.iterator in form ? [...form].map(([name, value]) => [name, value]) : Object.entries(form);
    return {
      type: "application/x-www-form-urlencoded",
      bytes: Buffer.from(new URLSearchParams(pairs as [string, string][]).toString()),
    };
  }
  return body === undefined ? {} : { bytes: Buffer.from(body) };
}

/**
 * One HTTP request to the server at `baseUrl`, on a connection of its own unless an agent is given; the path goes out exactly as written
 * and redirects are not followed. The answer is held against the published contract, always.
 */
export async function call(baseUrl: string, path: string, init: CallInit = {}): Promise<Answer> {
  const { type, bytes } = bodyOf(init);
  const method = init.method ?? (bytes === undefined ? "GET" : "POST");
  const { protocol, hostname, port } = new URL(baseUrl);
  const start = protocol === "https:" ? startTlsRequest : startRequest;
  const headers = {
    ...(type && { "content-type": type }),
    ...(bytes && { "content-length": String(bytes.length) }),
    ...init.headers,
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const agent = init.agent ?? new Agent({ keepAlive: false });
    const request = start({ hostname: hostname.replace(/^\[|\]$/g, ""), port, path, method, headers, agent }, resolve);
    request.once("error", reject);
    request.end(bytes);
  });
  const answer = await readAnswer(response);
  if (init.contract !== "unchecked") expect(answer).toMatchContract({ method, url: path, unrouted: init.unrouted });
  return answer;
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const coding = bytes.length === 0 ? undefined : response.headers["content-encoding"];
  const decode = DECODERS[coding ?? "identity"];
  if (decode === undefined) throw new Error(`The answer has the content coding ${coding}.`);
  return toAnswer(response.statusCode ?? 0, response.rawHeaders, decode(bytes).toString("utf8"));
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

function toAnswer(status: number, rawHeaders: readonly string[], text: string): Answer {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  return { status, headers, text, json: <T>() => JSON.parse(text) as T };
}

/** Everything that a server said on one connection, until it closed it. */
export interface RawExchange {
  readonly text: string;
  /** The answers in it, in order; bodies by content-length. Empty when the server only hung up. */
  readonly answers: readonly Answer[];
}

export interface RawOptions {
  /** Close our half after the last byte. True unless given. */
  readonly end?: boolean;
  /** Wait this long between the pieces. */
  readonly pauseMs?: number;
}

/**
 * Sends bytes that no HTTP client would send, in pieces if given as several, and reads until the server closes the connection. Checks no
 * contract: give each answer to `toMatchContract` where it is one.
 */
export function sendRaw(
  baseUrl: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<RawExchange> {
  const { hostname, port } = new URL(baseUrl);
  const pieces = Array.isArray(bytes) ? (bytes as readonly (string | Buffer)[]) : [bytes as string | Buffer];
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
    socket.on("data", (chunk) => received.push(chunk));
    // A reset after the answer is one way to close a connection; what was received counts.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(toRawExchange(Buffer.concat(received))));
    socket.on("connect", async () => {
      for (const piece of pieces) {
        if (!socket.writable) return;
        socket.write(piece);
        if (options.pauseMs !== undefined) await new Promise((done) => setTimeout(done, options.pauseMs));
      }
      if (options.end !== false) socket.end();
    });
  });
}

function toRawExchange(received: Buffer): RawExchange {
  const answers: Answer[] = [];
  let rest = received;
  while (rest.length > 0) {
    const headEnd = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest
      .subarray(0, headEnd < 0 ? 0 : headEnd)
      .toString("latin1")
      .split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
    if (headEnd < 0 || Number.isNaN(status)) break;
    const rawHeaders = lines.flatMap((line) => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trim(),
    ]);
    const length = Number(toAnswer(status, rawHeaders, "").headers.get("content-length") ?? 0);
    const bodyStart = headEnd + 4;
    answers.push(toAnswer(status, rawHeaders, rest.subarray(bodyStart, bodyStart + length).toString("utf8")));
    rest = rest.subarray(bodyStart + length);
  }
  return { text: received.toString("latin1"), answers };
}
