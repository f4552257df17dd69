import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../support/listening.ts";
import type { Closer } from "../support/scope.ts";

/** One request and its answer as they went over the wire. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly asked: Headers;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * What happens to one request instead of being passed on: another answer, a connection that ends, nothing at all, or an
 * answer that goes on for ever, a byte at a time.
 */
export type Fault =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
      /** The status of an interim answer before it (RFC 9110 §15.2). */
      readonly interim?: number;
    }
  | "reset"
  | "silence"
  | "drip";

export interface Recorder {
  readonly url: string;
  /** Forgets what was seen, and lets these faults happen to the next requests, one each. */
  begin(...faults: readonly Fault[]): void;
  seen(): readonly Seen[];
}

/** Sits between a subject and the product: passes requests on, and remembers what was asked and answered. */
export async function startRecorder(closeLater: (closer: Closer) => void, target: string): Promise<Recorder> {
  let seen: Seen[] = [];
  let faults: Fault[] = [];
  const server = createServer((asked, reply) => {
    const fault = faults.shift();
    const noted = (answer: Pick<Seen, "status" | "headers" | "text">) =>
      seen.push({ method: asked.method ?? "", path: asked.url ?? "", asked: headersOf(asked), ...answer });
    if (fault === undefined) return void passOn(target, asked, reply).then(noted, () => reply.destroy());
    if (typeof fault === "string") {
      noted({ status: 0, headers: new Headers(), text: "" });
      if (fault === "drip") drip(reply);
      return void (fault === "reset" && reply.destroy());
    }
    const { status, headers = {}, body = "", interim } = fault;
    noted({ status, headers: new Headers(headers), text: String(body) });
    if (interim !== undefined) reply.socket?.write(`HTTP/1.1 ${interim} Interim\r\nlink: </style.css>\r\n\r\n`);
    reply.writeHead(status, headers).end(body);
  });
  const url = await listening(server, closeLater);
  return {
    url,
    begin(...next) {
      seen = [];
      faults = [...next];
    },
    seen: () => seen,
  };
}

const DRIP_MS = 20;

function drip(reply: ServerResponse): void {
  reply.writeHead(200, { "content-type": "application/json" }).write("[");
  const drops = setInterval(() => reply.write(" "), DRIP_MS);
  reply.once("close", () => clearInterval(drops));
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
};

/** Without a content coding, so that what is remembered can be read. */
async function passOn(target: string, asked: IncomingMessage, reply: ServerResponse) {
  const { "accept-encoding": _, host: __, ...headers } = asked.headers;
  const forwarded = request(`${target}${asked.url}`, { method: asked.method, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    forwarded.once("response", resolve).once("error", reject),
  );
  asked.pipe(forwarded);
  const answer = await answered;
  const body = await text(answer);
  const status = answer.statusCode ?? 0;
  reply.writeHead(status, answer.rawHeaders.length === 0 ? [] : withoutFraming(answer.rawHeaders)).end(body);
  return { status, headers: headersOf(answer), text: body };
}

/** The body is sent in one piece, whatever it came in. */
function withoutFraming(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 1 || ["transfer-encoding", "connection", "keep-alive"].includes(name.toLowerCase())
      ? []
      : [name, rawHeaders[at + 1] ?? ""],
  );
}
