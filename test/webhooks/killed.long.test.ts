import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import type { Killed } from "./killed-process.ts";
import { openKit } from "./webhooks-kit.ts";

const HOUR = 3_600_000;
/** One more than a transaction makes: the event is relayed in two. */
const RECEIVERS = 501;
const PATIENCE_MS = 240_000;

/** Runs a process of its own on the store; true when it was killed before its work was done. */
async function isKilled({ location }: TestStore, options: Omit<Killed, "location">): Promise<boolean> {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [join(__dirname, "killed-process.ts"), JSON.stringify({ ...options, location })],
    // Dozens of processes load the same modules.
    { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "gh-killed-cache") } },
  );
  if (signal !== "SIGKILL" && status !== 0) throw new Error(stderr);
  // What another process commits is seen from the next turn on, and waiting for this one was no turn.
  await new Promise(setImmediate);
  return signal === "SIGKILL";
}

eachStore((_, open) => {
  let folder: string;
  beforeEach(async () => {
    folder = newFolder("gh-killed-");
  });

  it(
    "an event with more receivers than a transaction takes reaches each once, killed between any two steps (R-X235)",
    async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await kit.multiply(RECEIVERS);
      await kit.emit();
      const progress = async () => {
        const entries = await kit.tables.selectFrom("outbox_entries").select("relayed_to").execute();
        return entries.map(({ relayed_to }) => relayed_to ?? "").join();
      };
      const steps: string[] = [];
      let afterStatements = 1;
      while (await isKilled(kit.opened, { afterStatements, now: kit.clock.now().getTime() })) {
        const at = await progress();
        const isNew = at !== steps.at(-1);
        steps.push(at);
        // From the beginning again once a transaction has come through: each of them is killed at each of its steps.
        afterStatements = isNew && steps.length > 1 ? 1 : afterStatements + 1;
      }
      const made = await kit.tables.selectFrom("webhooks_queue").select("subscription_id").execute();
      expect(made).toHaveLength(RECEIVERS);
      expect(new Set(made.map(({ subscription_id }) => subscription_id)).size).toBe(RECEIVERS);
      expect(await progress()).toBe("");
      // Nothing of it was relayed, then a part.
      expect(new Set(steps).size).toBe(2);
    },
    PATIENCE_MS,
  );

  it(
    "no event is POSTed more than three times or forgotten, killed between any two steps of relay, claim and outcome (R-E8, R-X237)",
    async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      const posts = join(folder, "posts");
      writeFileSync(posts, "");
      const post = (eventId: string) => writeFileSync(posts, `${eventId}\n`, { flag: "a" });
      let killed = true;
      let deaths = 0;
      for (let afterStatements = 1; killed; afterStatements++) {
        await kit.emit();
        killed = await isKilled(kit.opened, { afterStatements, now: kit.clock.now().getTime(), posts });
        deaths += killed ? 1 : 0;
        // What a later process makes of it: attempts that are refused until the delivery is settled.
        for (let round = 0; round < 4; round++) {
          await kit.relay();
          for (const claimed of await kit.claim()) {
            post(claimed.eventId);
            await kit.record(claimed);
          }
          kit.clock.step(2 * HOUR);
        }
      }
      const deliveries = await kit.deliveries();
      const counts = Map.groupBy(readFileSync(posts, "utf8").trim().split("\n"), (eventId) => eventId);
      expect(deaths).toBeGreaterThan(8);
      expect(deliveries.map(({ state, attempts }) => `${state} ${attempts.length}`)).toEqual(
        deliveries.map(() => "exhausted 3"),
      );
      expect(deliveries).toHaveLength(deaths + 1);
      expect([...counts.values()].map(({ length }) => length).every((length) => length >= 2 && length <= 3)).toBe(true);
    },
    PATIENCE_MS,
  );
});
