import { createHmac } from "node:crypto";
import { Pool } from "undici";
import { WARM_UP } from "../support/load.ts";

/**
 * Floor of a delivery: sign 1 kB and POST it over kept-alive connections, nothing stored. Arguments: origin, count, concurrency. Prints
 * its CPU per POST in microseconds and POSTs per second.
 */
const [origin = "", count = "1000", concurrency = "16"] = process.argv.slice(2);
const body = Buffer.alloc(1_000, "e");
const pool = new Pool(origin, { connections: Number(concurrency) });

async function post(index: number): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", "a secret of the floor")
    .update(`event_${index}.${timestamp}.`)
    .update(body)
    .digest("base64");
  const { body: answer } = await pool.request({
    method: "POST",
    path: "/",
    headers: {
      "content-type": "application/json",
      "webhook-id": `event_${index}`,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    },
    body,
  });
  await answer.dump();
}

async function posts(total: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Number(concurrency) }, async () => {
      while (next < total) await post(next++);
    }),
  );
}

await posts(WARM_UP);
const before = process.cpuUsage();
const startedAt = performance.now();
await posts(Number(count));
const { user, system } = process.cpuUsage(before);
const perSecond = Number(count) / ((performance.now() - startedAt) / 1000);
console.log(JSON.stringify({ cpuMicroseconds: (user + system) / Number(count), perSecond }));
await pool.close();
