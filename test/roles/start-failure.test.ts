import { startFailure } from "../../src/roles/start-failure.ts";
import { CannotStart, Failure } from "../../src/runtime/basis/errors.ts";
import { storeUnavailable } from "../../src/runtime/basis/store-troubles.ts";

const CODES = { damaged: "SQLITE_CORRUPT", away: "ECONNREFUSED" };

describe("a start that the store has stopped", () => {
  it("is told in one line with what the database said, whichever part has asked it", () => {
    const denied = Object.assign(new Error("permission denied for sequence erasures_sequence_seq"), { code: "42501" });
    const told = startFailure(storeUnavailable("refused", denied));
    expect(told).toBeInstanceOf(CannotStart);
    expect(told).toMatchObject({
      message:
        "The store cannot be used (refused: the database refuses its role, its password or what the role may do; permission denied for sequence erasures_sequence_seq). Correct the role, its password and its rights, or store-url. Then start again.",
    });
  });

  it.each([
    ["damaged", 65],
    ["away", 1],
  ] as const)("by being %s ends with %d, for a supervisor (R-X417)", (trouble, exitCode) => {
    const cause = Object.assign(new Error("of the database"), { code: CODES[trouble] });
    expect(startFailure(storeUnavailable(trouble, cause))).toMatchObject({ exitCode });
  });

  it.each([
    new CannotStart("Port 8080 on :: is taken by another program."),
    new Failure("INTERNAL", "internal", "Internal error"),
    Object.assign(new Error("ENOENT: no such file or directory"), { code: "ENOENT" }),
  ])("leaves %s as it is", (error) => {
    expect(startFailure(error)).toBe(error);
  });
});
