import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { openInteractions } from "../../../src/sign-on/interactions/open-interactions.ts";
import type { Waiting } from "../../../src/sign-on/throttling/waiting-room.ts";
import { standingClock } from "../../support/clock.ts";

const START = 1_700_000_000_000;
const LIFETIME_MS = 1_000;

const written = async (_displaced: readonly Waiting[]): Promise<void> => undefined;
const storeFails = () => Promise.reject(new Error("disk full"));
const idsOf = ({ mock }: { readonly mock: jest.MockContext<Promise<void>, [readonly Waiting[]]> }) =>
  mock.calls.flatMap(([displaced]) => displaced.map(({ id }) => id));

/** `n`, or `n/1` for one of the networks of a wide one. */
const networkCalled = (name: string) => ({ narrow: name, wide: name.split("/", 1)[0] ?? "" });

describe("unproven open sign-ins (R-X154)", () => {
  const opened = (perNetwork: number, inAll: number) => {
    const metrics = createMetrics();
    const clock = standingClock(new Date(START));
    const open = openInteractions({ perNetwork, inAll }, metrics, clock);
    const add = async (id: string, network: string, at = 0) => {
      const store = jest.fn(written);
      await open.add(
        { id, network: networkCalled(network), expiresAt: new Date(START + at + LIFETIME_MS) },
        new Date(START + at),
        store,
      );
      return idsOf(store);
    };
    const see = async (id: string) => {
      const giveUp = jest.fn(written);
      await open.seen(id, giveUp);
      return idsOf(giveUp);
    };
    const figure = async (name: string) =>
      (await metrics.getSingleMetric(name)?.get())?.values.map(({ value }) => value);
    return { open, add, see, figure, clock };
  };

  it("displace the oldest of their own network only, when it has too many", async () => {
    const { add, figure } = opened(2, 100);
    expect(await figure("gatehouse_interactions_given_up_total")).toEqual([0, 0]);
    const displaced = [
      await add("a", "n"),
      await add("other", "m"),
      await add("b", "n"),
      await add("c", "n"),
      await add("d", "n"),
    ];
    expect(displaced).toEqual([[], [], [], ["a"], ["b"]]);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([3]);
    expect(await figure("gatehouse_interactions_given_up_total")).toEqual([2, 0]);
  });

  it("are displaced by no flood of requests once a browser has come for their page", async () => {
    const { add, see } = opened(2, 100);
    await add("person", "n");
    expect(await see("person")).toEqual([]);
    const flood = Array.from({ length: 50 }, (_, index) => add(`flood-${index}`, "n"));
    const given = (await Promise.all(flood)).flat();
    expect(given).toHaveLength(48);
    expect(given).not.toContain("person");
    expect(await see("person")).toEqual([]);
  });

  it("displace the oldest of those that were seen when a network has too many of them", async () => {
    const { open, add, see } = opened(2, 100);
    const displaced: string[] = [];
    for (const id of ["a", "b", "c"]) {
      await add(id, "n");
      displaced.push(...(await see(id)));
    }
    expect(displaced).toEqual(["a"]);
    open.release("b");
    await add("d", "n");
    expect(await see("d")).toEqual([]);
  });

  it("displace the oldest of all when there are too many in all", async () => {
    const { add } = opened(100, 2);
    const displaced = [await add("a", "n"), await add("b", "m"), await add("c", "o"), await add("d", "p")];
    expect(displaced).toEqual([[], [], ["a"], ["b"]]);
  });

  it("displace, when there are too many in all, the oldest of the wide network with the most (R-X436)", async () => {
    const { add, see, figure } = opened(2, 4);
    expect(await add("person", "m")).toEqual([]);
    const flood: string[][] = [];
    for (let index = 0; index < 6; index++) flood.push(await add(`flood-${index}`, `n/${index}`));
    expect(flood).toEqual([[], [], [], ["flood-0"], ["flood-1"], ["flood-2"]]);
    expect(await see("person")).toEqual([]);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([4]);
    expect(await add("flood-6", "n/6")).toEqual([]);
    expect(await add("flood-7", "n/7")).toEqual(["flood-3"]);
  });

  it("wait again when the store could do nothing about them, and give way to the next one", async () => {
    const { open, add, see, figure } = opened(2, 100);
    const waiting = { id: "c", network: networkCalled("n"), expiresAt: new Date(START + LIFETIME_MS) };
    await add("a", "n");
    await add("b", "n");
    await expect(open.add(waiting, new Date(START), storeFails)).rejects.toThrow("disk full");
    expect(await figure("gatehouse_interactions_unproven")).toEqual([2]);
    expect(await add("d", "n")).toEqual(["b"]);
    for (const id of ["a", "d"]) expect(await see(id)).toEqual([]);
    await add("e", "n");
    await expect(open.seen("e", storeFails)).rejects.toThrow("disk full");
    expect(await figure("gatehouse_interactions_unproven")).toEqual([3]);
    await add("f", "n");
    expect(await see("f")).toEqual(["d", "e"]);
  });

  it("make room when they are released or have expired", async () => {
    const { open, add, figure } = opened(2, 100);
    await add("a", "n");
    await add("b", "n");
    open.release("a");
    expect(await add("c", "n")).toEqual([]);
    expect(await add("d", "n", LIFETIME_MS)).toEqual([]);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([1]);
  });

  it("are not counted any more once they have expired, though no other comes", async () => {
    const { add, see, figure, clock } = opened(2, 100);
    await add("a", "n");
    await add("b", "n");
    await see("b");
    clock.step(LIFETIME_MS - 1);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([2]);
    clock.step(1);
    expect(await figure("gatehouse_interactions_unproven")).toEqual([0]);
  });
});
