import { sweepRefusals, writeRefusals } from "../../../src/runtime/refusals/refusal-loop.ts";
import { refusalNotes } from "../../../src/runtime/refusals/refusal-notes.ts";
import { kindOf, type SignOnRefusal } from "../../../src/sign-on/refusals/refusal.ts";
import { refusalRepository } from "../../../src/sign-on/refusals/refusal-repository.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { eachStore } from "../../support/stores.ts";
import { signOnSets } from "../sign-on-fixture.ts";

const clock = standingClock();
const refusal = (requestId: string, more: Partial<SignOnRefusal> = {}): SignOnRefusal => ({
  requestId,
  at: clock.now(),
  operation: "exchangeToken",
  check: "code.expired",
  error: "invalid_grant",
  sentence: "The authorization code has expired.",
  applicationId: undefined,
  parameters: ["client_id", "code"],
  redirectUri: undefined,
  ...more,
});

describe("refusals that wait to be written", () => {
  it("are few of a flood: thirty of a kind in a minute, of each kind by itself (R-X123)", () => {
    const notes = refusalNotes(clock, kindOf);
    for (let index = 0; index < 1_000; index++) notes.note(refusal(`req_a${index}`));
    notes.note(refusal("req_other", { check: "code.unknown" }));
    const taken = notes.take();
    expect(taken).toHaveLength(31);
    expect(taken.at(-1)?.requestId).toBe("req_other");
    clock.step(60_000);
    notes.note(refusal("req_later"));
    expect(notes.take().map(({ requestId }) => requestId)).toEqual(["req_later"]);
  });

  it("leave room for what else is refused when a stranger invents applications (R-X123)", () => {
    const notes = refusalNotes(clock, kindOf);
    const unknown = { operation: "authorize", check: "application.unknown" };
    for (let index = 0; index < 5_000; index++)
      notes.note(refusal(`req_${index}`, { ...unknown, applicationId: `app_${index}` }));
    notes.note(refusal("req_of_others", { applicationId: "app_registered" }));
    const taken = notes.take();
    expect(taken).toHaveLength(201);
    expect(taken.at(-1)?.requestId).toBe("req_of_others");
  });

  it("leave room for other applications when one asks again and again", () => {
    const notes = refusalNotes(clock, kindOf);
    for (let index = 0; index < 1_000; index++) notes.note(refusal(`req_${index}`, { applicationId: "app_often" }));
    for (let index = 0; index < 100; index++) notes.note(refusal(`req_o${index}`, { applicationId: `app_${index}` }));
    expect(notes.take()).toHaveLength(130);
  });

  it("are at most five hundred, however many kinds there are", () => {
    const notes = refusalNotes(clock, kindOf);
    for (let index = 0; index < 5_000; index++) notes.note(refusal(`req_${index}`, { check: `code.${index}` }));
    expect(notes.take()).toHaveLength(500);
  });

  it("can be found before they are stored; one without a request id cannot be found", () => {
    const notes = refusalNotes(clock, kindOf);
    notes.note(refusal("req_a"));
    notes.note(refusal(""));
    expect(notes.find("req_a")?.check).toBe("code.expired");
    expect(notes.find("")).toBeUndefined();
  });

  it("come back when they cannot be written", async () => {
    const notes = refusalNotes(clock, kindOf);
    notes.note(refusal("req_a"));
    const broken = { add: () => Promise.reject(new Error("gone")) } as unknown as ReturnType<typeof refusalRepository>;
    await expect(writeRefusals({ notes, refusals: broken })).rejects.toThrow("gone");
    expect(notes.find("req_a")).toBeDefined();
    expect(notes.take().map(({ requestId }) => requestId)).toEqual(["req_a"]);
  });

  it("can be found while the store takes them, and are not kept in memory after it", async () => {
    const notes = refusalNotes(clock, kindOf);
    notes.note(refusal("req_a"));
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = { add: () => promise } as unknown as ReturnType<typeof refusalRepository>;
    const written = writeRefusals({ notes, refusals: slow });
    expect(notes.find("req_a")?.check).toBe("code.expired");
    resolve();
    await written;
    expect(notes.find("req_a")).toBeUndefined();
  });
});

eachStore((_name, open) => {
  const opened = async () => {
    const { store } = await open(signOnSets);
    const db = store.view<SignOnTables>();
    return { db, refusals: refusalRepository(db), signal: new AbortController().signal };
  };

  it("written refusals come back as they were, and the first of an id stays", async () => {
    const { refusals } = await opened();
    const whole = refusal("req_a", { applicationId: "app_x", redirectUri: "https://app.example/cb" });
    await refusals.add([whole, refusal("req_b")]);
    await refusals.add([refusal("req_a", { check: "code.unknown" })]);
    await refusals.add([]);
    expect([await refusals.find("req_a"), await refusals.find("req_b")]).toEqual([whole, refusal("req_b")]);
    expect(await refusals.find("req_c")).toBeUndefined();
  });

  it("the oldest go: beyond a fortnight, and beyond as many as are kept", async () => {
    const { db, refusals, signal } = await opened();
    const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
    await refusals.add([15, 13, 3, 2, 1].map((days) => refusal(`req_${days}`, { at: ago(days) })));
    const left = async () => {
      const rows = await db.selectFrom("sign_on_refusals").select("request_id").orderBy("refused_at").execute();
      return rows.map((row) => row.request_id);
    };
    await sweepRefusals({ refusals, clock }, signal);
    expect(await left()).toEqual(["req_13", "req_3", "req_2", "req_1"]);
    await sweepRefusals({ refusals, clock }, signal, 2);
    expect(await left()).toEqual(["req_2", "req_1"]);
  });
});
