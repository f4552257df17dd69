import { createSocket } from "node:dgram";
import type { Closer } from "./scope.ts";

export const NOERROR = 0;
export const SERVFAIL = 2;
export const NXDOMAIN = 3;

/** The types of questions for addresses. */
const IPV4 = 1;
export const IPV6 = 28;

/** The record of the name that was asked for, with the address 127.0.0.1. */
const LOOPBACK = Buffer.from("c00c000100010000000100047f000001", "hex");

/**
 * A DNS server on this machine: answers the root with `root` and every other name with `name`; `undefined` is silence. To
 * NOERROR, it adds the address 127.0.0.1 where one of IPv4 is asked for. A question of the type `unanswered` gets silence. `at`
 * is where it listens, by default a free port.
 */
export async function dnsServer(
  closeLater: (closer: Closer) => void,
  codes: { readonly root?: number; readonly name?: number; readonly unanswered?: number },
  at = { port: 0, address: "127.0.0.1" },
) {
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => {
    const code = question[12] === 0 ? codes.root : codes.name;
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    if (code === undefined || type === codes.unanswered) return;
    const records = code === NOERROR && type === IPV4 ? [LOOPBACK] : [];
    const answer = Buffer.from(question.subarray(0, end));
    answer[2] = 0x81;
    answer[3] = 0x80 | code;
    // How many records there are of each kind; those of the question are its own.
    answer.fill(0, 6, 12);
    answer.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([answer, ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(at.port, at.address, resolve));
  closeLater(() => new Promise((resolve) => socket.close(resolve)));
  return `${at.address}:${socket.address().port}`;
}
