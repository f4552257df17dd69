import { type BoundedLog, boundedLog } from "../../../src/runtime/process/bounded-log.ts";
import { eventually } from "../../support/eventually.ts";
import { recordedLog } from "../../support/recorded-log.ts";

describe("log lines that strangers cause (R-X155)", () => {
  const silent = (rarely: BoundedLog, many: number) => {
    for (let index = 0; index < many; index++)
      rarely.info("connection silent", "A connection ended.", { reason: "silent" });
  };
  const record = (many: number, options: object) => {
    const log = recordedLog();
    const rarely = boundedLog(log, options);
    silent(rarely, many);
    rarely.info("unrouted 404", "Answered.", { status: 404 });
    return { log, rarely };
  };

  it("are written one by one up to a number of each kind, and counted beyond it", () => {
    const { log, rarely } = record(10_000, { linesMax: 3 });
    expect(log.lines).toHaveLength(4);
    rarely.stop();
    expect(log.lines.slice(4)).toMatchObject([{ fields: { reason: "connection silent", count: 9_997 } }]);
  });

  it("are not summed up while there are no more than that number", () => {
    const { log, rarely } = record(3, { linesMax: 3 });
    rarely.stop();
    expect(log.lines).toHaveLength(4);
  });

  it("are summed up when each minute ends, and start again", async () => {
    const { log, rarely } = record(5, { linesMax: 3, everyMs: 20 });
    const linesUpTo = (most: number) =>
      eventually(
        async () => log.lines.length,
        (count) => count === most,
      );
    expect(await linesUpTo(5)).toBe(5);
    silent(rarely, 5);
    expect(log.lines).toHaveLength(8);
    expect(await linesUpTo(9)).toBe(9);
    silent(rarely, 1);
    expect(log.lines).toHaveLength(10);
    rarely.stop();
    expect(log.lines).toHaveLength(10);
  });
});
