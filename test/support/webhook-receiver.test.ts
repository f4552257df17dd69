import { readFileSync } from "node:fs";
import { request } from "node:http";
import { Webhook } from "standardwebhooks";
import { standingClock } from "./clock.ts";
import { type ReceiverOptions, startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const document = JSON.parse(readFileSync("generated/contracts/webhooks.asyncapi.json", "utf8"));
const { payload } = document.components.messages.UserUpdated.examples[0];
const clock = standingClock();

/** POSTs the example event; resolves to the status, or to the error's code when the connection broke. */
function post(
  url: string,
  { secret = SECRET, body = JSON.stringify(payload) } = {},
): Promise<number | string | undefined> {
  const timestamp = String(Math.floor(clock.now().getTime() / 1000));
  const signature = new Webhook(secret).sign(payload.id, new Date(Number(timestamp) * 1000), body);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Gatehouse/0.1.0",
    "webhook-id": payload.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  };
  return new Promise((resolve) => {
    const sent = request(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    sent.end(body);
  });
}

describe("the webhook receiver of the tests", () => {
  let receiver: WebhookReceiver;
  const start = async (options: ReceiverOptions = {}) => {
    receiver = await startWebhookReceiver({ secret: SECRET, clock, ...options });
    return receiver;
  };
  afterEach(() => receiver.stop());

  it("returns what it verified, and counts by webhook-id", async () => {
    const { url } = await start();
    await expect(post(url)).resolves.toBe(204);
    await expect(post(url)).resolves.toBe(204);
    const first = await receiver.next();
    const second = await receiver.next();
    expect([first.nth, second.nth, receiver.countOf(payload.id)]).toEqual([1, 2, 2]);
    expect(second.event.data.status).toBe("ACTIVE");
  });

  it("waits for a delivery, and reports that none came", async () => {
    const { url } = await start();
    const next = receiver.next();
    await post(url);
    expect((await next).webhookId).toBe(payload.id);
    await expect(receiver.next({ timeoutMs: 20 })).rejects.toThrow(
      "No delivery arrived within 20 ms; 1 arrived before.",
    );
  });

  it.each([
    [
      "a signature made with another secret",
      { secret: `whsec_${Buffer.alloc(32, 8).toString("base64")}` },
      "standardwebhooks: No matching signature",
    ],
    ["a body that departs from the contract", { body: JSON.stringify({ ...payload, data: {} }) }, "payload: /data"],
  ])("refuses %s", async (_, sent, sentence) => {
    const { url } = await start();
    await post(url, sent);
    await expect(receiver.next()).rejects.toThrow(sentence);
  });

  it("reports a refused delivery even when no test reads it", async () => {
    const unread = await startWebhookReceiver({ secret: SECRET, clock });
    receiver = unread;
    await post(unread.url, { body: JSON.stringify({ ...payload, data: {} }) });
    await expect(unread.stop()).rejects.toThrow("payload: /data");
  });

  it("answers from its queue first, then with its default", async () => {
    const { url } = await start({ answer: { status: 410 } });
    receiver.answerNext({ status: 500, delayMs: 5 }, "reset");
    expect([await post(url), await post(url), await post(url)]).toEqual([500, "ECONNRESET", 410]);
  });
});
