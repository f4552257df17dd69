import { CannotStart, unavailable } from "../../../src/runtime/basis/errors.ts";
import { planFailure } from "../../../src/runtime/upkeep/migration-plan.ts";

const withCode = (code: string) => Object.assign(new Error("database or disk is full"), { code });

describe("a plan whose copy of the store does not fit (R-X252)", () => {
  it.each<[string, Error]>([
    ["the copy does not fit", withCode("SQLITE_FULL")],
    ["the draft does not fit", withCode("ENOSPC")],
    [
      "the new tables do not fit",
      new CannotStart("The store cannot be brought to this program's level: full", {
        cause: unavailable("The store cannot be used.", { cause: withCode("SQLITE_FULL") }),
      }),
    ],
  ])("says that it is the copy which needs space when %s", (_, error) => {
    expect(planFailure(error, "/data")).toMatchObject({
      name: "CannotStart",
      message:
        "The plan was not made: the copy of the store in /data, on which it tries the steps, needs more space than there is. Free space on the disk and run it again; without --plan the store is migrated in place and needs less. Nothing was changed.",
      cause: error,
    });
  });

  it("leaves other failures as they are", () => {
    const newer = new CannotStart("The store is newer than this program.");
    const failing = withCode("SQLITE_IOERR_WRITE");
    expect([planFailure(newer, "/data"), planFailure(failing, "/data")]).toEqual([newer, failing]);
  });
});
