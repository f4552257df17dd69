import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withoutInterimAnswers } from "../../../src/webhooks/sending/without-interim-answers.ts";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINTS = "HTTP/1.0 103\r\nlink: </a>\r\n\r\n";
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n${CONTINUE}`;

/** What a client reads when an answer to its request comes in these chunks. */
async function readFrom(chunks: readonly string[]): Promise<string> {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  withoutInterimAnswers(socket as Socket);
  let text = "";
  socket.on("readable", () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) text += chunk.toString("latin1");
  });
  socket.write("POST / HTTP/1.1\r\n\r\n");
  for (const chunk of chunks) {
    socket.push(Buffer.from(chunk, "latin1"));
    // As Node itself does at any time.
    socket.read(0);
    await nextTurn();
  }
  socket.push(null);
  await nextTurn();
  return text;
}

const cutAt = (text: string, at: number): readonly string[] =>
  [text.slice(0, at), text.slice(at)].filter((part) => part !== "");

describe("an answer after interim ones (R-X375)", () => {
  it.each([
    ["none", ""],
    ["100 Continue", CONTINUE],
    ["several", `${CONTINUE}${HINTS}${CONTINUE}`],
  ])("is whole wherever the network cuts it: after %s", async (_, before) => {
    const sent = `${before}${ANSWER}`;
    const cuts = [[...sent], ...Array.from({ length: sent.length }, (__, at) => cutAt(sent, at))];
    const read = await Promise.all(cuts.map(readFrom));
    expect([...new Set(read)]).toEqual([ANSWER]);
  });

  it.each(["HTTP/1.1 101 Switching Protocols\r\n\r\nx", "HTTP/1.0 200\r\n\r\n", "HTTP/2 1", "\r\nHTTP/1.1 200 OK"])(
    "is not looked for after what is none: %j",
    async (sent) => {
      expect(await readFrom([...sent])).toBe(sent);
    },
  );

  it("is no longer looked for behind more than an attempt takes", async () => {
    const text = await readFrom([CONTINUE.repeat(1_000)]);
    expect(text.length).toBeGreaterThan(0);
    expect(text.startsWith(CONTINUE)).toBe(true);
  });
});
