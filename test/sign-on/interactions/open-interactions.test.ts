import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { openInteractions } from "../../../src/sign-on/interactions/open-interactions.ts";
import { standingClock } from "../../support/clock.ts";

const START = 1_700_000_000_000;
const LIFETIME_MS = 1_000;

describe("unproven open sign-ins (R-X154)", () => {
  const opened = (perNetwork: number, inAll: number) => {
    const metrics = createMetrics();
    const clock = standingClock(new Date(START));
    const open = openInteractions({ perNetwork, inAll }, metrics, clock);
    const add = (id: string, network: string, at = 0) => {
      const waiting = { id, network, expiresAt: new Date(START + at + LIFETIME_MS) };
      return open.add(waiting, new Date(START + at)).map((one) => one.id);
    };
    const figure = async (name: string) =>
      (await metrics.getSingleMetric(name)?.get())?.values.map(({ value }) => value);
    return { open, add, figure, clock };
  };

  it("displace the oldest of their own network only, when it has too many", async () => {
    const { add, figure } = opened(2, 100);
    expect([add("a", "n"), add("other", "m"), add("b", "n"), add("c", "n"), add("d", "n")]).toEqual([
      [],
      [],
      [],
      ["a"],
      ["b"],
    ]);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([3]);
    expect(await figure("gatehouse_interactions_given_up_total")).toEqual([2]);
  });

  it("are displaced by no flood of requests once a browser has come for their page", () => {
    const { open, add } = opened(2, 100);
    add("person", "n");
    expect(open.seen("person")).toEqual([]);
    const given = Array.from({ length: 50 }, (_, index) => add(`flood-${index}`, "n")).flat();
    expect(given).toHaveLength(48);
    expect(given).not.toContain("person");
    expect(open.seen("person")).toEqual([]);
  });

  it("displace the oldest of those that were seen when a network has too many of them", () => {
    const { open, add } = opened(2, 100);
    const displaced = ["a", "b", "c"].flatMap((id) => {
      add(id, "n");
      return open.seen(id);
    });
    expect(displaced.map(({ id }) => id)).toEqual(["a"]);
    open.release("b");
    add("d", "n");
    expect(open.seen("d")).toEqual([]);
  });

  it("displace the oldest of all when there are too many in all", () => {
    const { add } = opened(100, 2);
    expect([add("a", "n"), add("b", "m"), add("c", "o"), add("d", "p")]).toEqual([[], [], ["a"], ["b"]]);
  });

  it("wait again when the store could do nothing about them, and give way to the next one", async () => {
    const { open, add, figure } = opened(2, 100);
    const waiting = { id: "c", network: "n", expiresAt: new Date(START + LIFETIME_MS) };
    add("a", "n");
    add("b", "n");
    open.takeBack("c", open.add(waiting, new Date(START)));
    expect(await figure("gatehouse_interactions_unproven")).toEqual([2]);
    expect(add("d", "n")).toEqual(["b"]);
    for (const id of ["a", "d"]) expect(open.seen(id)).toEqual([]);
    add("e", "n");
    open.keepSeen(open.seen("e"));
    expect(await figure("gatehouse_interactions_unproven")).toEqual([3]);
    add("f", "n");
    expect(open.seen("f").map(({ id }) => id)).toEqual(["d", "e"]);
  });

  it("make room when they are released or have expired", async () => {
    const { open, add, figure } = opened(2, 100);
    add("a", "n");
    add("b", "n");
    open.release("a");
    expect(add("c", "n")).toEqual([]);
    expect(add("d", "n", LIFETIME_MS)).toEqual([]);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([1]);
  });

  it("are not counted any more once they have expired, though no other comes", async () => {
    const { open, add, figure, clock } = opened(2, 100);
    add("a", "n");
    add("b", "n");
    open.seen("b");
    clock.step(LIFETIME_MS - 1);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([2]);
    clock.step(1);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([0]);
  });
});
