import { connect } from "node:net";
import { Client, credentials } from "@grpc/grpc-js";

const CONNECT_MS = 2_000;

/** True when a process listens on the Unix socket, even one that hangs. A file that a dead process left behind does not answer. */
export function socketAnswers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const isThere = () => {
      socket.destroy();
      resolve(true);
    };
    socket.once("connect", isThere);
    // Only a listener that accepts no more connections lets one wait.
    socket.setTimeout(CONNECT_MS, isThere);
    // A listener whose queue is full refuses with EAGAIN, but it exists.
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED" && code !== "ENOENT"));
  });
}

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
