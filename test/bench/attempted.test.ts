import { setTimeout as sleep } from "node:timers/promises";
import { attempted } from "../../bench/support/attempted.ts";
import { runAll } from "../../bench/support/load.ts";

describe("a series of a benchmark that fails", () => {
  const exitCodeBefore = process.exitCode;
  afterEach(() => {
    process.exitCode = exitCodeBefore;
    jest.restoreAllMocks();
  });

  it("says in one line which it was, and lets the others go on", async () => {
    const written = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    const failing = async () => {
      throw new Error("GET /workers answered 503: {}\n    at send");
    };
    expect([await attempted("50,000 rows", failing), await attempted("25 rows", async () => 7)]).toEqual([
      undefined,
      7,
    ]);
    expect(written.mock.calls).toEqual([["The series “50,000 rows” failed: GET /workers answered 503: {}\n"]]);
    expect(process.exitCode).toBe(1);
  });

  it("has none of its operations under way any more, which would burden the next one", async () => {
    const done: number[] = [];
    const running = runAll(100, 4, 0, async (index) => {
      if (index === 1) throw new Error("503");
      await sleep(20);
      done.push(index);
    });
    await expect(running).rejects.toThrow("503");
    const doneThen = [...done];
    await sleep(60);
    expect([doneThen.toSorted(), done.toSorted()]).toEqual([
      [0, 2, 3],
      [0, 2, 3],
    ]);
  });
});
