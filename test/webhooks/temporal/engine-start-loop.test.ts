import { engineStartLoop } from "../../../src/webhooks/temporal/engine-start-loop.ts";

describe("the loop that gives what waits in the store to the engine", () => {
  /** An engine that starts everything but `refused`, and parts of work as claims find them; the loop is ended after the last. */
  async function given(parts: readonly (readonly string[])[], refused: readonly string[] = []) {
    const ending = new AbortController();
    const left = [...parts];
    const started: string[] = [];
    const confirmed: (readonly string[])[] = [];
    const reported: string[][] = [];
    await engineStartLoop<string>({
      name: "start",
      async claim(asked, { signal }) {
        expect(asked).toEqual({ limit: 20, waitMs: 20_000 });
        const part = left.shift();
        if (part !== undefined) return part;
        // As a call fails whose caller gives it up.
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("given up")));
          ending.abort();
        });
      },
      engine: async (signal) =>
        signal.aborted
          ? undefined
          : async (work) => {
              if (refused.includes(work)) throw new Error("refused");
              started.push(work);
            },
      confirm: async (work) => void confirmed.push(work),
      starts: {
        ended(results) {
          reported.push(results.map(({ status }) => status));
          return false;
        },
      },
    }).run(ending.signal);
    return { started, confirmed, reported };
  }

  it("starts what it took, and confirms it; the end of a wait is no failure", async () => {
    expect(await given([["one", "two"], [], ["three"]])).toEqual({
      started: ["one", "two", "three"],
      confirmed: [["one", "two"], ["three"]],
      reported: [["fulfilled", "fulfilled"], [], ["fulfilled"], []],
    });
  });

  it("confirms nothing that the engine did not start", async () => {
    expect(await given([["one", "two"], ["two"]], ["two"])).toEqual({
      started: ["one"],
      confirmed: [["one"]],
      reported: [["fulfilled", "rejected"], ["rejected"], []],
    });
  });

  it("starts by the engine as it is after the claim, since the one before it may be disconnected", async () => {
    const ending = new AbortController();
    let connection = 1;
    const started: string[] = [];
    await engineStartLoop<string>({
      name: "start",
      async claim() {
        connection += 1;
        return ["one"];
      },
      async engine(signal) {
        const its = connection;
        return signal.aborted ? undefined : async (work) => void started.push(`${work} by ${its}`);
      },
      starts: {
        ended() {
          ending.abort();
          return false;
        },
      },
    }).run(ending.signal);
    expect(started).toEqual(["one by 2"]);
  });

  it("ends while the engine is away", async () => {
    const claim = jest.fn();
    const starts = { ended: () => false };
    await engineStartLoop({ name: "start", claim, engine: async () => undefined, starts }).run(
      new AbortController().signal,
    );
    expect(claim).not.toHaveBeenCalled();
  });

  it("fails when the store cannot be asked", async () => {
    const claim = () => Promise.reject(new Error("away"));
    const loop = engineStartLoop({
      name: "start",
      claim,
      engine: async () => async () => undefined,
      starts: { ended: () => false },
    });
    await expect(loop.run(new AbortController().signal)).rejects.toThrow("away");
  });
});
