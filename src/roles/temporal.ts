import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { systemClock } from "#runtime/basis/clock.ts";
import { validTimeOf } from "#runtime/process/certificate-ageing.ts";
import { clientCertificateCheck } from "#runtime/process/client-certificate.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import { renewedCredentials } from "#runtime/temporal/credentials.ts";
import { TASK_QUEUE, temporalWorker } from "#runtime/temporal/worker-loop.ts";
import { workflowBundle } from "#runtime/temporal/workflow-bundle.ts";
import type { Config } from "../config.ts";
import { signOnWorker } from "../sign-on/worker.ts";
import type { WebhooksWorker } from "../webhooks/worker.ts";
import type { Process } from "./process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const WORKFLOWS = join(ROOT, "workflows");
/** Longer than any POST that is under way. */
const GRACE_MARGIN_MS = 2_000;
/** Concurrent activities: attempts, and pages of expired codes. */
const ACTIVITY_SLOTS = 100;

/** The worker's loops around a Temporal server. Loaded only where one is configured. */
export async function temporalLoops(
  config: Config & { readonly "temporal-address": string },
  process: Process,
  { carrier, webhooks }: { readonly carrier: Carrier; readonly webhooks: WebhooksWorker },
): Promise<readonly Loop[]> {
  const retries = await webhooks.onTemporal({ activitySlots: ACTIVITY_SLOTS });
  const expiry = await signOnWorker({ connect: carrier.connect, clock: systemClock }).onTemporal();
  const credentials = renewedCredentials(config, config.paths, process.log);
  const { loop, link, check } = temporalWorker({
    address: config["temporal-address"],
    namespace: config["temporal-namespace"],
    credentials,
    bundle: () => workflowBundle(join(WORKFLOWS, "index.ts"), join(ROOT, ".cache", "workflows")),
    failureConverterPath: join(WORKFLOWS, "failure-converter.ts"),
    activities: { ...retries.activities, ...expiry.activities },
    searchAttributes: retries.searchAttributes,
    activitySlots: ACTIVITY_SLOTS,
    graceMs: config["webhook-timeout-ms"] + GRACE_MARGIN_MS,
    log: process.log,
    metrics: process.metrics,
  });
  process.checks.push(check);
  if (config["temporal-tls-certificate"] !== undefined)
    process.checks.push(
      clientCertificateCheck({
        name: "temporal certificate",
        server: "Temporal",
        setting: "temporal-tls-certificate",
        metric: "gatehouse_temporal_certificate_expiry_seconds",
        validTime() {
          const own = credentials.latest().tls?.own;
          return own && validTimeOf(new X509Certificate(own.certificate));
        },
        clock: systemClock,
        log: process.log,
        metrics: process.metrics,
      }),
    );
  return [loop, ...retries.loops(link, TASK_QUEUE), ...expiry.loops(link, TASK_QUEUE)];
}
