import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Installation } from "../harness/installation.ts";
import type { GatewayWorld } from "./gateway-world.ts";

const READERS = 16;
const ROWS = 50_000;
const PAUSE_MS = 4;

/** Memory of the edge while several clients read long lists slowly, as a sentence. */
export async function readSlowly(installation: Installation, { path, apiKey }: GatewayWorld): Promise<string> {
  const before = installation.residentMib();
  let most = before;
  let reading = true;
  const watching = (async () => {
    while (reading) {
      most = Math.max(most, installation.residentMib());
      await sleep(20);
    }
  })();
  const lengths = await Promise.all(Array.from({ length: READERS }, () => read(installation.url + path(ROWS), apiKey)));
  reading = false;
  await watching;
  const mib = (value: number) => `${value.toFixed(0)} MiB`;
  const total = lengths.reduce((sum, length) => sum + length, 0) / 2 ** 20;
  return (
    `Memory of the edge, a process of its own: ${mib(before)} before, ${mib(most)} at most while ${READERS} clients read ` +
    `${ROWS.toLocaleString("en")} rows each slowly (${mib(total)} in all).`
  );
}

/** Reads an answer with a pause after each piece; its length in bytes. */
async function read(url: string, apiKey: string): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { "x-api-key": apiKey }, agent: false }, resolve).once("error", reject);
  });
  let length = 0;
  for await (const chunk of answer) {
    length += (chunk as Buffer).length;
    await sleep(PAUSE_MS);
  }
  return length;
}
