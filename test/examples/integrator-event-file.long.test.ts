import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { example } from "./support/gatehouse-stand-in.ts";
import { sampleSuite } from "./support/sample-suite.ts";

sampleSuite("the sample integrator keeps its events over restarts", (context) => {
  const { deliver, get, received, restart } = context;
  const event = example("events/client.created");
  let folder: string;
  let file: { readonly SAMPLE_EVENTS_FILE: string };

  beforeEach(async () => {
    folder = newFolder("gh-sample-events-");
    file = { SAMPLE_EVENTS_FILE: join(folder, "events.jsonl") };
    await restart(file);
  });

  const content = () => readFile(file.SAMPLE_EVENTS_FILE, "utf8");

  it("lists what arrived before, refused ones too, and counts on", async () => {
    await deliver(event);
    await deliver({ id: "event_forged" }, { sentBody: "{}" });
    const before = await received();
    await restart(file);
    expect(await received()).toEqual(before);
    await deliver({ ...event, id: "event_later" });
    expect((await received()).map(({ number }) => number)).toEqual([3, 2, 1]);
  });

  it("recognizes a repetition of an event that arrived before", async () => {
    await deliver(event);
    await restart(file);
    await deliver(event);
    expect((await received()).map(({ duplicate }) => duplicate)).toEqual([true, false]);
  });

  it("keeps them in a file that only its owner can read", async () => {
    await deliver(event);
    expect((await stat(file.SAMPLE_EVENTS_FILE)).mode & 0o777).toBe(0o600);
  });

  it("removes from the file what is no longer listed", async () => {
    for (let number = 1; number <= 450; number += 1) await deliver({ ...event, id: `event_${number}` });
    const lines = (await content()).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(400);
    expect(lines.at(-1)).toContain('"event_450"');
    await restart(file);
    expect(await received()).toHaveLength(200);
  });

  it("lets the file grow to 4 MiB, however large the events are", async () => {
    for (let number = 1; number <= 30; number += 1)
      await deliver({ ...event, id: `event_${number}`, padding: "x".repeat(200 * 1024) });
    expect((await content()).length).toBeLessThanOrEqual(4 * 1024 * 1024);
    await restart(file);
    expect((await received())[0].webhookId).toBe("event_30");
  });

  it("starts with what can be read when a line was cut off", async () => {
    await deliver(event);
    await appendFile(file.SAMPLE_EVENTS_FILE, '{"number":2,"receivedAt":"20');
    await restart(file);
    expect(await received()).toHaveLength(1);
    await deliver({ ...event, id: "event_later" });
    await restart(file);
    expect(await received()).toHaveLength(2);
  });

  it.each([
    { number: 7, receivedAt: "2026-06-29T10:00:00.000Z", webhookId: "event_1", verified: true },
    { number: 7, receivedAt: "2026-06-29T10:00:00.000Z", webhookId: "event_1", verified: true, event: { id: 1 } },
    { number: 7, receivedAt: "2026-06-29T10:00:00.000Z", verified: false, reason: "No", excerpt: "" },
    { number: 7, receivedAt: "2026-06-29T10:00:00.000Z" },
  ])("passes over a line that is no delivery: %j", async (line) => {
    await appendFile(file.SAMPLE_EVENTS_FILE, `${JSON.stringify(line)}\n`);
    await restart(file);
    expect(await received()).toEqual([]);
    expect((await get("/")).status).toBe(200);
    expect((await get("/events.txt")).status).toBe(200);
  });

  it("starts beside a file that is something else", async () => {
    await writeFile(file.SAMPLE_EVENTS_FILE, "null\n[]\nwords\n");
    await restart(file);
    expect(await received()).toEqual([]);
    expect(await deliver(event)).toBe(204);
  });

  it("says in a line for a terminal whether the verifier accepted an event", async () => {
    await deliver(event);
    await deliver({ id: "event_forged" }, { sentBody: "{}" });
    const text = await (await get("/events.txt")).text();
    expect(text).toMatch(
      new RegExp(
        `^refused {3}No matching signature found\\nverified {2}client\\.created {2}Harbour Bakery {2}${event.id} {2}after [^\\n]+\\n$`,
      ),
    );
  });
});
