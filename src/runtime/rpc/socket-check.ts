import { connect } from "node:net";

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
