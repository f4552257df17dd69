import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "#runtime/basis/clock.ts";
import { inTime } from "#runtime/basis/in-time.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { urlHost } from "#runtime/basis/url-host.ts";
import { type Certificate, type CertificateFiles, readCertificate, uncovered } from "#runtime/http/certificate.ts";
import { certificateRenewal } from "#runtime/http/certificate-renewal.ts";
import { startEdgeServer } from "#runtime/http/edge-server.ts";
import { restOf } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import { superviseLoops } from "#runtime/process/loop.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import { sayingUnanswered } from "#runtime/rpc/unanswered.ts";
import type { Config } from "../config.ts";
import { portalEdge } from "../portal/edge.ts";
import { signOnEdge } from "../sign-on/edge.ts";
import { webhooksEdge } from "../webhooks/edge.ts";
import { gatewayEdge } from "../workforce/edge.ts";
import { carrierTo, servicesCheck } from "./carriers.ts";
import { type Process, serveProcess } from "./process.ts";

/** What stops beside the last requests of the edge, where other roles share its process. */
interface Beside {
  /** Of the grace time: it begins to stop while it still has so much, though requests are under way. */
  readonly needsMs: number;
  /** May be called again. */
  stop(): Promise<void>;
}

/** Starts the edge role: the public listener over calls to services. */
export async function startEdge(config: Config, process: Process, carrier: Carrier, beside?: Beside): Promise<void> {
  const { log, metrics } = process;
  const connect = sayingUnanswered(carrier.connect, log);
  const { issuer } = config;
  const gatewayUrl = config["gateway-url"];
  const files = certificateFiles(config);
  const certificate = files && readCertificate(files);
  const warnOfNames = (one: Certificate) => warnOfOtherNames(one, [issuer, gatewayUrl], log);
  if (certificate) warnOfNames(certificate);
  const server = await startEdgeServer({
    host: config["public-host"],
    port: config["public-port"],
    log,
    metrics,
    random: systemRandom,
    certificate,
    hstsMaxAgeSeconds: config["hsts-max-age-seconds"],
    trustedProxies: config["trusted-proxies"],
    areas: [
      signOnEdge({
        connect,
        issuer,
        jwksMaxAgeSeconds: config["jwks-max-age-seconds"],
        supportContact: config["support-contact"],
        log,
      }),
      gatewayEdge({ connect, gatewayUrl, version: config.version, webhooks: webhooksEdge(connect) }),
      portalEdge({
        version: config.version,
        issuer,
        gatewayUrl,
        carrier:
          config.rpc === "socket" || !config.roles.includes("services")
            ? "gRPC over private sockets"
            : "gRPC, in process",
        sampleUrl: config["sample-url"],
        healthUrl: `http://${urlHost(config["management-host"])}:${config["management-port"]}/health/ready`,
      }),
    ],
  });
  process.ports.add(server.port);
  if (files && certificate) {
    const { loop, check } = certificateRenewal({
      files,
      served: certificate,
      server,
      clock: systemClock,
      log,
      metrics,
      onRenewed: warnOfNames,
    });
    process.checks.push(check);
    const loops = superviseLoops([loop], { log, metrics });
    process.checks.push({ ...loops.check, name: "loops of the edge" });
    process.add({ name: "loops of the edge", stop: loops.stop });
  }
  process.add({ name: "calls of the edge", stop: () => carrier.close() });
  process.add({
    name: server.name,
    async stop(graceMs) {
      // The listener stays open: clients are asked to close and load balancers see "not ready" before any connection is
      // refused.
      server.draining();
      const drainMs = Math.min(config["drain-milliseconds"], graceMs);
      await sleep(drainMs);
      const leftMs = graceMs - drainMs;
      if (beside === undefined) return server.stop(leftMs);
      const served = server.stop(leftMs - restOf(leftMs));
      // A client that reads its answer slowly takes no time from what else is under way.
      await inTime(served, Math.max(0, leftMs - beside.needsMs));
      await Promise.all([served, beside.stop()]);
    },
  });
}

/** Both or none; `readConfig` has checked that. */
function certificateFiles(config: Config): CertificateFiles | undefined {
  const certificateFile = config["tls-certificate-file"];
  const keyFile = config["tls-key-file"];
  return certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile };
}

/** Only a warning, although every browser would stop here: a proxy in front may present another certificate. */
function warnOfOtherNames(certificate: Certificate, origins: readonly string[], log: Log): void {
  for (const address of uncovered(certificate, origins))
    log.warn("The certificate does not cover a public hostname of this server.", { address });
}

/** `serve --role edge`. */
export async function serveEdge(config: Config): Promise<void> {
  await serveProcess(config, async (process) => {
    await startEdge(config, process, carrierTo(config["socket-directory"], "edge"));
    process.checks.push(servicesCheck(config["socket-directory"], "edge", process.log));
    return process.ready();
  });
}
