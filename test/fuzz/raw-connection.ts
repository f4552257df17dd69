import { connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** An answer as it came, its body decoded. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One connection on which bytes are sent that no HTTP client would send, one request after the other; opened again when it was closed. */
export interface RawConnection {
  /** The one answer to the one request in these bytes. @throws Error when there is none in time, or more than one. */
  exchange(bytes: Buffer, method: string, timeoutMs: number): Promise<RawAnswer>;
  close(): void;
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  deflate: (bytes) => inflateSync(bytes),
  zstd: (bytes) => zstdDecompressSync(bytes),
};

export function rawConnection(port: number): RawConnection {
  let open: Socket | undefined;
  return {
    exchange: (bytes, method, timeoutMs) =>
      new Promise((resolve, reject) => {
        const socket = open ?? connect(port, "127.0.0.1").setNoDelay(true);
        open = socket;
        const chunks: Buffer[] = [];
        const timer = setTimeout(() => settle(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
        const settle = (outcome: RawAnswer | Error) => {
          clearTimeout(timer);
          socket.removeAllListeners();
          // A reset may still come after the answer; the next request opens another connection.
          socket.on("error", () => undefined);
          const over = outcome instanceof Error || outcome.headers.get("connection") === "close" || socket.destroyed;
          if (over) {
            socket.destroy();
            open = undefined;
          }
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        const look = (ended: boolean) => {
          try {
            const answer = parseAnswer(Buffer.concat(chunks), method, ended);
            if (answer !== undefined) settle(answer);
            else if (ended) settle(new Error("the connection was closed without a whole answer"));
          } catch (error) {
            settle(error as Error);
          }
        };
        socket.on("data", (chunk) => {
          chunks.push(chunk);
          look(false);
        });
        socket.on("error", () => undefined);
        socket.on("close", () => look(true));
        socket.write(bytes);
      }),
    close() {
      open?.destroy();
      open = undefined;
    },
  };
}

/** `undefined` while it is not whole. @throws Error when it is no HTTP, or something follows it. */
function parseAnswer(received: Buffer, method: string, ended: boolean): RawAnswer | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = received.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no HTTP: ${statusLine}`);
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  const rest = received.subarray(headEnd + 4);
  // Bytes that are no HTTP have no method: the refusal that ends their connection has a body even where they begin with HEAD.
  const bare = (method === "HEAD" && headers.get("connection") !== "close") || status === 204 || status === 304;
  const body = bare ? NOTHING : bodyOf(rest, headers, ended);
  if (body === undefined) return undefined;
  if (rest.length > body.length)
    throw new Error(`bytes behind the answer: ${rest.subarray(body.length, body.length + 80)}`);
  const coding = headers.get("content-encoding");
  const decode = coding === null ? (bytes: Buffer) => bytes : DECODERS[coding];
  if (decode === undefined) throw new Error(`the content coding ${coding} was not asked for`);
  return { status, headers, text: decode(body.bytes).toString("utf8") };
}

interface Body {
  readonly bytes: Buffer;
  /** In the answer, framing included. */
  readonly length: number;
}

const NOTHING: Body = { bytes: Buffer.alloc(0), length: 0 };

function bodyOf(rest: Buffer, headers: Headers, ended: boolean): Body | undefined {
  if (headers.get("transfer-encoding") === "chunked") return chunkedBody(rest);
  const length = headers.get("content-length");
  if (length === null) return ended ? { bytes: rest, length: rest.length } : undefined;
  return rest.length < Number(length) ? undefined : { bytes: rest.subarray(0, Number(length)), length: Number(length) };
}

function chunkedBody(rest: Buffer): Body | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    const next = lineEnd + 2 + size + 2;
    if (Number.isNaN(size)) throw new Error("a chunk without a size");
    if (rest.length < next) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), length: next };
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
