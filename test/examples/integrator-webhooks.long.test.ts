import { Webhook } from "standardwebhooks";
import { desk } from "../desk/support/desk.ts";
import { example } from "./support/gatehouse-stand-in.ts";
import { SIGNING_SECRET } from "./support/sample-process.ts";
import { type DeliveryOptions, sampleSuite } from "./support/sample-suite.ts";

sampleSuite("the sample integrator receives events (Standard Webhooks, R-E5)", (context) => {
  const { deliver, get, pageText, received } = context;

  it("acknowledges a verified event and lists it", async () => {
    const event = { ...example("events/user.updated"), occurredAt: new Date(Date.now() - 250).toISOString() };
    expect(await deliver(event)).toBe(204);
    const [delivery] = await received();
    expect(delivery).toMatchObject({ verified: true, duplicate: false, webhookId: event.id, event });
    expect(delivery.arrivedAfterMs).toBeGreaterThanOrEqual(250);
    const text = await pageText("/");
    expect(text).toContain("user.updated");
    expect(text).toContain(event.id);
    expect(text).toContain("maren.dahl@harbour-bakery.example");
  });

  it("takes them at the path of its home page too", async () => {
    await context.restart({ SAMPLE_ENDPOINT_URL: "http://localhost/" });
    expect(await deliver(example("events/user.updated"), { path: "/" })).toBe(204);
    expect(await received()).toMatchObject([{ verified: true }]);
    expect(await pageText("/")).toContain("user.updated");
    const refused = await get("/", { method: "PUT" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST"]);
  });

  it("accepts one of two signatures while a secret is being rotated", async () => {
    const event = example("events/client.created");
    const now = new Date();
    const signatures = [`whsec_${btoa("the secret that comes next")}`, SIGNING_SECRET].map((secret) =>
      new Webhook(secret).sign(event.id, now, JSON.stringify(event)),
    );
    expect(await deliver(event, { signedAt: now, headers: { "webhook-signature": signatures.join(" ") } })).toBe(204);
  });

  const event = example("events/client.created");
  it.each<[string, DeliveryOptions, string]>([
    ["tampered with", { sentBody: JSON.stringify(event).replace("Harbour", "Harbor") }, "No matching signature found"],
    ["written again", { sentBody: JSON.stringify(event, null, 1) }, "No matching signature found"],
    ["signed by another", { secret: `whsec_${btoa("somebody else's secret!!")}` }, "No matching signature found"],
    ["stale", { signedAt: new Date(Date.now() - 301_000) }, "Message timestamp too old"],
    ["from the future", { signedAt: new Date(Date.now() + 330_000) }, "Message timestamp too new"],
    ["unsigned", { headers: { "webhook-signature": "" } }, "Missing required headers"],
  ])("refuses one that is %s, and lists it", async (_, delivery, reason) => {
    expect(await deliver(event, delivery)).toBe(400);
    expect(await received()).toEqual([expect.objectContaining({ verified: false, reason })]);
    expect(await pageText("/")).toContain(reason);
    expect(await deliver(event)).toBe(204);
  });

  it("refuses a signed body that is not an event", async () => {
    expect(await deliver({ id: "event_1" })).toBe(400);
    expect((await received())[0].reason).toBe("The signature is right, but the body is not an event");
  });

  it("acknowledges a duplicate and marks it; a forged one does not count", async () => {
    const event = example("events/user.updated");
    expect(await deliver(event, { sentBody: "{}" })).toBe(400);
    expect(await deliver(event)).toBe(204);
    expect(await deliver(event)).toBe(204);
    expect((await received()).map(({ duplicate }) => duplicate)).toEqual([true, false, undefined]);
    expect(await pageText("/")).toContain("Duplicate");
  });

  it.each<[string, () => Partial<RequestInit>]>([
    ["with its length", () => ({ body: "x".repeat(256 * 1024 + 1) })],
    ["in chunks", () => ({ body: new Blob(["x".repeat(3_000_000)]).stream(), duplex: "half" }) as Partial<RequestInit>],
  ])("refuses a body above 256 KiB, sent %s, and keeps none of it", async (_, body) => {
    expect((await get("/webhooks", { method: "POST", ...body() })).status).toBe(413);
    expect(await received()).toEqual([expect.objectContaining({ verified: false, excerpt: "" })]);
    expect(await deliver(example("events/user.updated"))).toBe(204);
  });

  it("accepts a body of exactly 256 KiB", async () => {
    const event = { ...example("events/user.updated"), padding: "" };
    event.padding = "x".repeat(256 * 1024 - JSON.stringify(event).length);
    expect(await deliver(event)).toBe(204);
  });

  it("keeps the last 200", async () => {
    for (let number = 1; number <= 203; number += 1) await deliver({ ...event, id: `event_${number}` });
    const numbers = (await received()).map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([200, 203, 4]);
    expect(await (await get("/events.json?after=201")).json()).toHaveLength(2);
    // A page from before a restart without a file is ahead: it gets what came since, too.
    expect(await (await get("/events.json?after=9999")).json()).toHaveLength(200);
  });

  describe("hostile content", () => {
    const evil = `"'><script>alert(1)</script>`;

    it("shows event data as text", async () => {
      const event = { ...example("events/user.updated"), type: evil, occurredAt: evil };
      event.data.fullName = evil;
      expect(await deliver(event)).toBe(204);
      await deliver({ id: "<img>" }, { sentBody: evil });
      const text = await pageText("/");
      expect(text).toContain("&#60;script&#62;alert(1)");
      expect(text).toContain("&#60;img&#62;");
      expect(text).not.toContain("<script>alert");
      for (const { markup } of await received()) expect(markup).not.toMatch(/<script|<img/);
    });

    it.each([
      "https://evil.example/v1/x",
      "//evil.example/v1/x",
      "/v1/../../secrets",
      "/v1/\\..\\..\\secrets",
      "@evil.example/v1/x",
      ".evil.example/v1/x",
      42,
    ])("does not follow the link %s with the API key", async (self) => {
      const event = example("events/user.updated");
      event.data.links.self = self;
      await deliver(event);
      expect(await pageText("/")).toContain("does not lead into the gateway");
      const before = context.gatehouse.requests.length;
      expect((await get("/events/1/current")).status).toBe(404);
      expect(context.gatehouse.requests).toHaveLength(before);
    });
  });
});

sampleSuite("the sample integrator, scored (R-X319)", (context) => {
  it("keeps every rule for receivers that can be seen from outside", async () => {
    const words = ["conform", `${context.sample.url}/webhooks`, "--json"];
    const { exitCode, out } = await desk(words, { WEBHOOK_SECRET: SIGNING_SECRET });
    const checks = JSON.parse(out).checks as readonly { readonly name: string; readonly result: string }[];
    expect(checks.filter(({ result }) => result !== "passed").map(({ name }) => name)).toEqual([
      "forged-without-effect",
      "effects-once",
    ]);
    expect(exitCode).toBe(0);
  });
});
