import { Client, credentials } from "@grpc/grpc-js";

/** Shorter than the time limit of a readiness check. */
const ANSWER_MS = 1_500;
const CHECK = "/grpc.health.v1.Health/Check";
/** A HealthCheckResponse with the status SERVING. */
const SERVING = Buffer.from([0x08, 0x01]);

/**
 * True when the process behind the Unix socket answers gRPC's health check with SERVING, on a new connection. A process that is stopped or
 * hangs still accepts connections, and does not answer.
 */
export function socketServes(path: string): Promise<boolean> {
  const client = new Client(`unix:${path}`, credentials.createInsecure());
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      CHECK,
      () => Buffer.alloc(0),
      (reply: Buffer) => reply,
      undefined,
      { deadline: Date.now() + ANSWER_MS },
      (error, reply) => {
        client.close();
        resolve(error === null && reply?.equals(SERVING) === true);
      },
    );
  });
}
