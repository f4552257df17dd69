import { once } from "node:events";
import { connect, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import type { SecureVersion, TLSSocket } from "node:tls";
import type { Certificate } from "./certificates.ts";
import type { Closer } from "./scope.ts";

/** What guards a Temporal server that is not on this machine. */
export interface DoorOptions {
  /** Of the server behind, spoken to without TLS. */
  readonly address: string;
  readonly own: Certificate;
  /** The authority of accepted client certificates; without it none is asked for. */
  readonly visitors?: Certificate;
  /** The newest that it speaks; TLS 1.3 unless given. */
  readonly maxVersion?: SecureVersion;
  /** Asked of each call. */
  readonly accepts: (visitor: Visitor) => boolean;
}

/** Who calls: an empty text for what was not shown. */
interface Visitor {
  readonly apiKey: string;
  /** Serial number of the certificate. */
  readonly serial: string;
}

const UNAUTHENTICATED = "16";

/** Ends TLS as a Temporal service does, asks for certificate and API key, and hands calls on. Returns host and port. */
export async function openTemporalDoor(closeLater: (closer: Closer) => void, options: DoorOptions): Promise<string> {
  const { own, visitors, accepts, maxVersion = "TLSv1.3" } = options;
  const behind = connect(`http://${options.address}`);
  // A server that ends while a call waits is no failure of the test.
  behind.on("error", () => undefined);
  const server = createSecureServer({
    ...own,
    maxVersion,
    ...(visitors !== undefined && { requestCert: true, rejectUnauthorized: true, ca: visitors.cert }),
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined).once("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    const apiKey = headers.authorization?.replace(/^Bearer /, "") ?? "";
    const serial = (stream.session?.socket as TLSSocket | undefined)?.getPeerCertificate().serialNumber ?? "";
    if (accepts({ apiKey, serial })) handOn(stream);
    else refuse(stream);

    function handOn(visitor: ServerHttp2Stream): void {
      const call = behind.request(headers);
      call.on("error", () => visitor.close());
      visitor.once("close", () => call.close());
      call.once("response", (answer, flags) => {
        if ((flags & 1) === 1) return void visitor.respond(answer, { endStream: true });
        visitor.respond(answer, { waitForTrailers: true });
        let trailers = {};
        call.once("trailers", (received) => {
          trailers = received;
        });
        visitor.once("wantTrailers", () => visitor.sendTrailers(trailers));
        call.pipe(visitor);
      });
      visitor.pipe(call);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closeLater(async () => {
    for (const session of sessions) session.destroy();
    behind.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refuse = (stream: ServerHttp2Stream): void => {
  const answer = { ":status": 200, "content-type": "application/grpc", "grpc-status": UNAUTHENTICATED };
  stream.respond({ ...answer, "grpc-message": "Request unauthorized." }, { endStream: true });
};
