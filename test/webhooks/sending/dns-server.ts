import { createSocket } from "node:dgram";
import type { Closer } from "../../support/scope.ts";

export const SERVFAIL = 2;
export const NXDOMAIN = 3;

/** A DNS server on this machine: answers the root with `root` and every other name with `name`; `undefined` is silence. */
export async function dnsServer(
  closeLater: (closer: Closer) => void,
  codes: { readonly root?: number; readonly name?: number },
) {
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const code = question[12] === 0 ? codes.root : codes.name;
    if (code === undefined) return;
    const answer = Buffer.from(question);
    answer[2] = 0x81;
    answer[3] = 0x80 | code;
    // The question alone: no records follow.
    answer.fill(0, 6, 12);
    const end = question.indexOf(0, 12) + 5;
    socket.send(answer.subarray(0, end), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  closeLater(() => new Promise((resolve) => socket.close(resolve)));
  return `127.0.0.1:${socket.address().port}`;
}
