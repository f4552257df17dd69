import { constants } from "node:crypto";
import { maxHeaderSize, type Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { newId } from "../basis/ids.ts";
import type { Random } from "../basis/random.ts";
import { urlHost } from "../basis/url-host.ts";
import { boundedLog } from "../process/bounded-log.ts";
import type { Part } from "../process/lifecycle.ts";
import type { Log } from "../process/log.ts";
import type { Metrics } from "../process/metrics.ts";
import { traceIdOf } from "../process/trace.ts";
import { answerBrokenRequest, answerToConnect, isAnswerable, reasonOf, writeUnrouted } from "./broken-request.ts";
import type { Certificate } from "./certificate.ts";
import { type OpenConnections, watchConnections } from "./connections.ts";
import { type Means, makeRoomForConnections, meansOfProcess } from "./crowded-connections.ts";
import { type EdgeTimeouts, TIMEOUTS } from "./edge-timeouts.ts";
import { endingConnections } from "./ending-connections.ts";
import { BODY_BYTES_MAX, largeBodies } from "./large-body.ts";
import { type AddressesOf, listenAt } from "./listening.ts";
import { observeRequests } from "./observe.ts";
import { isSpeltAsOffered } from "./one-spelling.ts";
import type { Area, UnroutedCode } from "./operation.ts";
import { pipelinedRequests } from "./pipelined-requests.ts";
import { isPassedOn, sayingUntrusted } from "./remote-address.ts";
import { replySender } from "./reply.ts";
import { addRoutes } from "./routes.ts";
import { type Flaw, pathOf, refusalOf, unroutedAnswers, whatIsUnread } from "./unrouted.ts";

/**
 * As long as all headers together may be, so that every id reaches the contract's check, which follows the key's (R-G2,
 * R-G13).
 */
const PATH_PARAMETER_LENGTH_MAX = maxHeaderSize;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export interface EdgeServerOptions {
  readonly host: string;
  readonly port: number;
  /** TLS 1.2 and 1.3 with this certificate; plain HTTP without one. */
  readonly certificate?: Certificate | undefined;
  /** With a certificate: what `strict-transport-security` says, in seconds (RFC 6797). A year by default. */
  readonly hstsMaxAgeSeconds?: number;
  /** Addresses and networks whose `x-forwarded-for` is trusted to name the caller; none by default. */
  readonly trustedProxies?: readonly string[];
  /** The first area that owns a path answers for it; the last should own every path. */
  readonly areas: readonly Area[];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly random: Random;
  /** Shorter in tests. */
  readonly timeouts?: EdgeTimeouts;
  /** What this process has for connections; what the system says by default. */
  readonly means?: Means | undefined;
  /** The addresses of `localhost`; the system's by default. */
  readonly addressesOf?: AddressesOf;
}

export interface EdgeServer extends Part {
  readonly port: number;
  /** After this call every answer asks its connection to close. */
  draining(): void;
  /** Serves another certificate to new connections. @throws Error on a server without TLS. */
  renew(certificate: Certificate): void;
}

/**
 * The public listener: every area's operations, hardened against ambiguous and slow requests. Refusals before an operation is chosen are
 * answered in the area's own shape.
 * @throws CannotStart when the port is taken.
 */
export async function startEdgeServer(options: EdgeServerOptions): Promise<EdgeServer> {
  const {
    areas,
    log,
    metrics,
    random,
    certificate,
    trustedProxies = [],
    hstsMaxAgeSeconds = YEAR_SECONDS,
    timeouts = TIMEOUTS,
    means = meansOfProcess(),
  } = options;
  let draining = false;
  /** Headers of every answer. */
  const always: Readonly<Record<string, string>> =
    certificate === undefined ? {} : { "strict-transport-security": `max-age=${hstsMaxAgeSeconds}` };
  const stopping = new AbortController();
  const unrouted = unroutedAnswers(areas, (path) => allowOf(path));
  const { isEnding, endIfAmbiguous, afterAnswers } = endingConnections((socket) => connections.answersOn(socket));
  const http = {
    headersTimeout: timeouts.headersMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    // Node would answer in its own format; ambiguityOf refuses such a request instead.
    requireHostHeader: false,
    // Whatever the environment says (--insecure-http-parser).
    insecureHTTPParser: false,
  };
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    // Concerns `request.ip` only: nothing here reads Fastify's host or protocol, which would follow such headers too.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http,
    // Fastify makes its server of `https` in place of `http` where there is one; its types distinguish the two, which
    // makes no difference here.
    ...(certificate && { https: { ...http, ...tlsOptions(certificate, timeouts) } as unknown as null }),
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: () => newId("request", random),
    routerOptions: {
      maxParamLength: PATH_PARAMETER_LENGTH_MAX,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
      // Queries are parsed by the routes: strictly, and without prototypes.
      querystringParser: () => ({}),
    },
    frameworkErrors(error, request, reply) {
      // Hooks do not run for such requests.
      prepare(reply);
      const ambiguous = endIfAmbiguous(request, reply);
      const flaw = ambiguous === undefined ? whatIsUnread(error) : { sentence: ambiguous, isOfPath: false };
      inTurn(request.raw, reply.raw, () => {
        const [status, code] = refusalOf(error);
        observe({
          requestId: request.id,
          traceId: traceIdOf(request.headers.traceparent),
          method: request.method,
          status,
        });
        refuse(request, reply, status, code, flaw);
      });
    },
    clientErrorHandler(error, socket) {
      if (isEnding(socket)) return;
      if (!isAnswerable(error)) return refuseBroken(error, socket);
      afterAnswers(socket, () => refuseBroken(error, socket));
    },
  });
  app.server.maxRequestsPerSocket = 0;
  // Node reports CONNECT by this event only, and closes the connection silently when there is no listener.
  app.server.on("connect", ({ url = "" }, socket) => {
    const requestId = newId("request", random);
    const allow = url.startsWith("/") ? allowOf(pathOf(url)) : undefined;
    socket.on("error", () => undefined);
    const headers = { ...always, ...(allow !== undefined && { allow }) };
    const answer = answerToConnect(url, allow);
    afterAnswers(socket, () => {
      observe({ requestId, method: "CONNECT", status: answer[0] });
      writeUnrouted(socket, answer, unrouted.areaOf(url), requestId, { headers, leaveMs: timeouts.restMs });
    });
  });
  // Node would answer 417. An unknown expectation may be ignored (RFC 9110 §10.1.1).
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));

  const bodies = largeBodies(app.server, timeouts.restMs);

  function refuseBroken(error: Error & { code?: string }, socket: Socket): void {
    const requestId = newId("request", random);
    const status = answerBrokenRequest(error, socket, unrouted.areaOf("/"), requestId, {
      headers: always,
      leaveMs: timeouts.restMs,
    });
    refused(reasonOf(error, socket, status), status === undefined ? undefined : { requestId, status });
  }

  function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    code: UnroutedCode,
    flaw?: Flaw,
  ): FastifyReply {
    return send(request, reply, unrouted.answerTo(request, status, code, flaw));
  }

  function prepare(reply: FastifyReply): void {
    reply.headers(always);
  }

  // Bodies stay bytes until the route knows what the contract accepts; Fastify's own parsers would answer in their own
  // format.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const rarely = boundedLog(log);
  const sayUntrusted = sayingUntrusted(log);
  const ofProxies = new WeakSet<object>();
  const inTurn = pipelinedRequests(() => pipelined());
  app.addHook("onRequest", (request, reply, done) => {
    prepare(reply);
    const { socket } = request.raw;
    if (!ofProxies.has(socket)) {
      if (isPassedOn(request)) ofProxies.add(socket);
      else sayUntrusted(request);
    }
    // Asked when it comes: a later request that is ambiguous does not concern this one.
    const malformed = endIfAmbiguous(request, reply);
    inTurn(request.raw, reply.raw, () => {
      if (malformed === undefined) done();
      else refuse(request, reply, 400, "invalid_request", { sentence: malformed, isOfPath: false });
    });
  });
  app.addHook("onRequest", (request, reply, done) => {
    const path = pathOf(request.url);
    if (request.is404) {
      // Fastify would read the body of a QUERY first, and refuse it for its media type.
      const allow = allowOf(path);
      if (allow !== undefined) return refuse(request, reply.header("allow", allow), 405, "method_not_allowed");
      if (request.method === "QUERY") return refuse(request, reply, 404, "not_found");
    } else if (!isSpeltAsOffered(path, request.routeOptions.url ?? path)) {
      return refuse(request, reply, 404, "not_found");
    }
    return done();
  });
  const { observe, refused, crowded, pipelined, calledBy, breaking } = observeRequests(app, { log, rarely, metrics });
  const connections = watchConnections(app.server, {
    takeMs: timeouts.takeMs,
    idleMsOf: (socket) => (ofProxies.has(socket) ? timeouts.proxyKeepAliveMs : undefined),
    breaking,
  });
  makeRoomForConnections(app.server, connections, { ...means, log, crowded });
  const send = replySender({ takeMs: timeouts.takeMs, isLast: () => draining, breaking });
  app.setNotFoundHandler((request, reply) => refuse(request, reply, 404, "not_found"));
  app.setErrorHandler(async (error: Error & { statusCode?: number; code?: string }, request, reply) => {
    const [status, code] = refusalOf(error);
    if (status === 413 && (await bodies.tookRest(request.raw))) reply.removeHeader("connection");
    if (status === 500) log.error("A request failed outside every operation.", { requestId: request.id, error });
    return refuse(request, reply, status, code);
  });
  const allowOf = addRoutes(app, areas, { log, send, calledBy, stopping: stopping.signal, refuse });

  const listening = await listenAt(app, options);
  const { port } = listening;
  const scheme = certificate === undefined ? "http" : "https";
  log.info("The edge is listening.", { address: `${scheme}://${urlHost(options.host)}:${port}` });
  return {
    name: "edge server",
    port,
    draining() {
      draining = true;
    },
    renew(next) {
      const server: Server | TlsServer = app.server;
      if (!(server instanceof TlsServer)) throw new Error("A server of plain HTTP has no certificate to renew.");
      server.setSecureContext(certificateOptions(next));
    },
    async stop(graceMs) {
      stopping.abort();
      listening.stop();
      await stop(app, connections, graceMs);
      for (const area of areas) area.ended?.();
      rarely.stop();
    },
  };
}

/**
 * Those of TLS 1.3, and of TLS 1.2 those whose keys are forgotten with the connection and which authenticate what they encrypt
 * (RFC 9325 §4.1). OpenSSL would add ones by which the certificate's key opens what was recorded before.
 */
const SUITES = [
  ...["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"],
  ...["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].flatMap((suite) => [
    `ECDHE-ECDSA-${suite}`,
    `ECDHE-RSA-${suite}`,
  ]),
].join(":");

const certificateOptions = ({ chain, key }: Certificate) => ({
  cert: chain,
  key,
  minVersion: "TLSv1.2" as const,
  ciphers: SUITES,
  // A second handshake costs the server more than its client (RFC 9325 §3.5).
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
});

const tlsOptions = (certificate: Certificate, { headersMs }: EdgeTimeouts) => ({
  ...certificateOptions(certificate),
  ALPNProtocols: ["http/1.1"],
  handshakeTimeout: headersMs,
});

/**
 * Stops listening, lets requests under way finish, then closes the remaining connections. Silent connections are closed
 * at once.
 */
async function stop(app: FastifyInstance, connections: OpenConnections, graceMs: number): Promise<void> {
  for (const socket of connections.silent()) socket.destroy();
  const forced = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearTimeout(forced);
}
