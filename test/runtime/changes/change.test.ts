import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import { isInsideChange } from "../../../src/runtime/basis/inside-change.ts";
import { type Change, type Changes, createChanges } from "../../../src/runtime/changes/change.ts";
import type { RepeatKey } from "../../../src/runtime/changes/repeated-request.ts";
import { createWake } from "../../../src/runtime/wake/wake.ts";
import { type StandingClock, standingClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";

interface Tables {
  guests: { readonly name: string };
}

interface Answer {
  readonly greeting: string;
}

const guests = {
  owner: "guests",
  migrations: [
    {
      number: 1,
      name: "guests",
      statements: ({ strict }: { readonly strict: string }) => [
        `create table guests (name text primary key) ${strict}`,
      ],
    },
  ],
};

const codec = {
  encode: (answer: Answer) => ({ finish: () => Buffer.from(JSON.stringify(answer)) }),
  decode: (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Answer,
};

const repeatKey = (requestId: string, content = "Ada"): RepeatKey<Answer> => ({
  requestId,
  caller: "platform",
  method: "/guests/Welcome",
  content: Buffer.from(content),
  answer: codec,
});

const arrival = (name: string) => ({
  eventType: "guest.arrived",
  entity: { type: "guest", id: `guest_${name}` },
  instanceId: "instance_1",
  tenantId: null,
  data: { name },
  selfPath: `/guests/${name}`,
});

eachStore((dialect, open) => {
  let test: TestStore;
  let clock: StandingClock;
  let changes: Changes<Tables>;

  const changesOf = ({ store, wake }: TestStore) =>
    createChanges<Tables>({ store, clock, random: seededRandom(), wake });

  beforeEach(async () => {
    test = await open([guests]);
    clock = standingClock();
    changes = changesOf(test);
  });

  const rows = async <R = unknown>(query: string): Promise<readonly R[]> =>
    (await sql.raw<R>(query).execute(test.store.view())).rows;
  const names = async () =>
    (await rows<{ name: string }>("select name from guests order by name")).map(({ name }) => name);
  const countOf = async (table: string) =>
    Number((await rows<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count);

  const welcome =
    (name: string) =>
    async (change: Change<Tables>): Promise<Answer> => {
      await change.db.insertInto("guests").values({ name }).execute();
      await change.emit(arrival(name));
      await change.audit({ actor: "platform", action: "guest.welcome", object: `guest_${name}`, facts: { seats: 1 } });
      return { greeting: `Welcome, ${name}` };
    };

  it("commits rows, outbox entry and audit entry together (spec §6, architecture: a change)", async () => {
    const answer = await changes.run(welcome("Ada"), { requestId: "req_1" });
    const outbox = await rows<Record<string, unknown>>("select * from outbox_entries");
    const audit = await rows("select at, actor, action, object, request_id, facts from audit_entries");
    expect(answer).toEqual({ greeting: "Welcome, Ada" });
    expect(await names()).toEqual(["Ada"]);
    expect(outbox).toEqual([
      {
        sequence: 1,
        event_id: expect.stringMatching(/^event_[A-Za-z0-9]{21}$/),
        event_type: "guest.arrived",
        occurred_at: clock.now().getTime(),
        entity_type: "guest",
        entity_id: "guest_Ada",
        instance_id: "instance_1",
        tenant_id: null,
        data: '{"name":"Ada"}',
        self_path: "/guests/Ada",
        internal: 0,
        relayed_at: null,
        relayed_to: null,
      },
    ]);
    expect(audit).toEqual([
      {
        at: clock.now().getTime(),
        actor: "platform",
        action: "guest.welcome",
        object: "guest_Ada",
        request_id: "req_1",
        facts: '{"seats":1}',
      },
    ]);
  });

  it("commits nothing when the work fails", async () => {
    const failing = changes.run(async (change) => {
      await welcome("Ada")(change);
      throw new Failure("FAILED_PRECONDITION", "full", "The house is full.");
    });
    await expect(failing).rejects.toMatchObject({ reason: "full" });
    expect([await countOf("guests"), await countOf("outbox_entries"), await countOf("audit_entries")]).toEqual([
      0, 0, 0,
    ]);
  });

  it("gives everything in a change one time", async () => {
    const instants = await changes.run(async (change) => {
      clock.step(5_000);
      await change.emit(arrival("Ada"));
      clock.step(5_000);
      await change.audit({ actor: "platform", action: "guest.welcome", object: "guest_Ada" });
      return change.at.getTime();
    });
    const [outbox] = await rows<{ occurred_at: number }>("select occurred_at from outbox_entries");
    const [audit] = await rows<{ at: number }>("select at from audit_entries");
    expect([outbox?.occurred_at, audit?.at]).toEqual([instants, instants]);
  });

  /** Changes whose signals note how many guests a reader sees at that moment. */
  const noted = () => {
    const wake = createWake();
    const seen: (readonly [string, Promise<number>])[] = [];
    const signal = (channel: string) => {
      seen.push([channel, countOf("guests")]);
      wake.signal(channel);
    };
    const changes = createChanges<Tables>({
      store: test.store,
      clock,
      random: seededRandom(),
      wake: { ...wake, signal },
    });
    return { changes, seen: () => Promise.all(seen.map(async ([channel, guests]) => [channel, await guests])) };
  };

  it("wakes after the commit, and only then", async () => {
    const { changes, seen } = noted();
    await changes.run(async (change) => {
      change.wakeAfter("guests");
      await change.db.insertInto("guests").values({ name: "Ada" }).execute();
      expect(await seen()).toEqual([]);
    });
    const failing = changes.run(async (change) => {
      change.wakeAfter("guests");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await seen()).toEqual([["guests", 1]]);
  });

  /** When the answer to a change has left, the relay is woken. */
  const answerLeft = async () => {
    for (let turns = 0; turns < 3; turns++) await nextTurn();
  };

  it("wakes the relay before a commit that it can share, otherwise after it, once for all events (decision 0075)", async () => {
    const { changes, seen } = noted();
    await changes.run(async (change) => {
      await welcome("Ada")(change);
      await change.emit(arrival("Ada"));
      expect(await seen()).toEqual([]);
    });
    expect(await seen()).toEqual(dialect === "sqlite" ? [["outbox", 0]] : []);
    await answerLeft();
    expect(await seen()).toEqual([["outbox", dialect === "sqlite" ? 0 : 1]]);
  });

  it("wakes the relay after a long change, which has a commit of its own, when its answer has left", async () => {
    const { changes, seen } = noted();
    await changes.run(welcome("Ada"), { alone: true });
    await nextTurn();
    expect(await seen()).toEqual([]);
    await answerLeft();
    expect(await seen()).toEqual([["outbox", 1]]);
  });

  it("marks the work as inside a change, so that calls to other domains are refused there", async () => {
    const inside = await changes.run(async () => isInsideChange());
    expect([inside, isInsideChange()]).toEqual([true, false]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a change inside the change", () => changes.run(welcome("Ada"))],
    ["a write beside it", () => test.store.view<Tables>().insertInto("guests").values({ name: "Ada" }).execute()],
    [
      "a read beside it, which would miss what it wrote",
      () => test.store.view<Tables>().selectFrom("guests").selectAll().execute(),
    ],
  ])("refuses %s at once: it could wait for its own change", async (_, beside) => {
    await expect(changes.run(beside)).rejects.toThrow("A statement went beside the change that is open");
    await changes.run(welcome("Bo"));
    expect(await names()).toEqual(["Bo"]);
  });

  describe("a repeated request id (R-G18)", () => {
    it("gets the first answer, and writes nothing again", async () => {
      const first = await changes.run(welcome("Ada"), { repeat: repeatKey("1") });
      const again = await changes.run(welcome("Bo"), { repeat: repeatKey("1") });
      expect(again).toEqual(first);
      expect([await names(), await countOf("outbox_entries"), await countOf("audit_entries")]).toEqual([["Ada"], 1, 1]);
    });

    it("is refused when its content differs", async () => {
      await changes.run(welcome("Ada"), { repeat: repeatKey("1") });
      const other = changes.run(welcome("Bo"), { repeat: repeatKey("1", "Bo") });
      await expect(other).rejects.toMatchObject({ code: "ALREADY_EXISTS", reason: "request_id_reused" });
      expect(await names()).toEqual(["Ada"]);
    });

    it.each([
      ["another caller", { caller: "operator" }],
      ["another method", { method: "/guests/Seat" }],
    ])("is a new request from %s", async (_, difference) => {
      await changes.run(welcome("Ada"), { repeat: repeatKey("1") });
      await changes.run(welcome("Bo"), { repeat: { ...repeatKey("1"), ...difference } });
      expect(await names()).toEqual(["Ada", "Bo"]);
    });

    it("has no effect when it is empty", async () => {
      await changes.run(welcome("Ada"), { repeat: repeatKey("") });
      await changes.run(welcome("Bo"), { repeat: repeatKey("") });
      expect([await names(), await countOf("change_requests")]).toEqual([["Ada", "Bo"], 0]);
    });

    it("expires after 24 hours, also while its row still exists", async () => {
      await changes.run(welcome("Ada"), { repeat: repeatKey("1") });
      clock.step(24 * 60 * 60 * 1000);
      await changes.run(welcome("Bo"), { repeat: repeatKey("1", "Bo") });
      expect([await names(), await countOf("change_requests")]).toEqual([["Ada", "Bo"], 1]);
    });

    it("is not stored when the work failed", async () => {
      const failing = changes.run(() => Promise.reject(new Error("no")), { repeat: repeatKey("1") });
      await expect(failing).rejects.toThrow("no");
      await expect(changes.run(welcome("Ada"), { repeat: repeatKey("1") })).resolves.toEqual({
        greeting: "Welcome, Ada",
      });
    });

    it("is done once by 20 callers at the same time, over several connections, and all get one answer", async () => {
      const all = (await test.racers(5)).map(changesOf);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (all[index % all.length] as Changes<Tables>).run(
            async (change) => ({ ...(await welcome("Ada")(change)), by: index }),
            { repeat: repeatKey("1") },
          ),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect([await names(), await countOf("outbox_entries")]).toEqual([["Ada"], 1]);
    });
  });

  describe("a transaction that the store asks to retry", () => {
    const busy = () =>
      Object.assign(new Error("busy"), { code: dialect === "sqlite" ? "SQLITE_BUSY_SNAPSHOT" : "40001" });

    it("is retried from the beginning", async () => {
      let tries = 0;
      await changes.run(async (change) => {
        await welcome("Ada")(change);
        tries++;
        if (tries < 3) throw busy();
      });
      expect([tries, await names(), await countOf("outbox_entries")]).toEqual([3, ["Ada"], 1]);
    });

    it("does once what a rollback cannot undo, and in the next change again (R-X406)", async () => {
      let tries = 0;
      let count = 0;
      const counter = {};
      const counted = () =>
        changes.run(async ({ once }) => {
          const number = once(counter, () => ++count);
          tries++;
          if (tries % 3 !== 0) throw busy();
          return number;
        });
      expect([await counted(), await counted(), tries]).toEqual([1, 2, 6]);
    });

    it("ends after four tries with UNAVAILABLE and a time to try again", async () => {
      let tries = 0;
      const running = changes.run(async () => {
        tries++;
        throw busy();
      });
      await expect(running).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: "The store is busy.",
        retryAfterSeconds: 2,
      });
      expect(tries).toBe(4);
    });
  });
});
