import {
  alreadyExists,
  CannotStart,
  Failure,
  failedPrecondition,
  invalidArgument,
  isFault,
  notFound,
  publicFailure,
  unavailable,
} from "../../../src/runtime/basis/errors.ts";

describe("a failure", () => {
  const failure = new Failure("NOT_FOUND", "tenant_not_found", "Client not found", {
    detail: "private",
    cause: new Error("private too"),
    retryAfterSeconds: 3,
    violations: [{ field: "tenant_id", reason: "is unknown" }],
  });

  it("crosses to the caller without its private half, as a new object each time (S55)", () => {
    const told = publicFailure(failure);
    expect(told).not.toBe(failure);
    expect(told).toMatchObject({
      code: "NOT_FOUND",
      reason: "tenant_not_found",
      message: "Client not found",
      retryAfterSeconds: 3,
      violations: [{ field: "tenant_id", reason: "is unknown" }],
      detail: undefined,
    });
    expect(told.cause).toBeUndefined();
    expect(publicFailure(failure)).not.toBe(told);
    // Whose stack is the decider's business, and who throws next has one.
    expect([told.stack, new Error("later").stack]).toEqual([
      expect.not.stringContaining("errors.test.ts"),
      expect.stringContaining("errors.test.ts"),
    ]);
  });

  it.each([[new TypeError("secret")], ["secret"], [undefined], [{ code: "NOT_FOUND", message: "secret" }]])(
    "is INTERNAL without a reason when %p was thrown (S56)",
    (thrown) => {
      const { code, reason, message, cause } = publicFailure(thrown);
      expect({ code, reason, message, cause }).toEqual({
        code: "INTERNAL",
        reason: "internal",
        message: "Internal error",
        cause: undefined,
      });
    },
  );

  it("names every field that was refused", () => {
    const violations = [
      { field: "tenant.name", reason: "must not be empty" },
      { field: "tenant.city", reason: "is too long" },
    ];
    expect(invalidArgument(violations)).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "tenant.name must not be empty; tenant.city is too long.",
      violations,
    });
  });

  it("is a fault only when it is ours", () => {
    const faults = [new Error(), "text", new Failure("INTERNAL", "internal", "Internal error")];
    const answers = [
      failure,
      unavailable("The store is busy."),
      alreadyExists("x", "x"),
      failedPrecondition("x", "x"),
      notFound("x", "x"),
    ];
    expect([faults.map(isFault), answers.map(isFault)]).toEqual([
      [true, true, true],
      [false, false, false, false, false],
    ]);
  });

  it("says when to try again if the service is unavailable", () => {
    expect([unavailable("x").retryAfterSeconds, unavailable("x", { retryAfterSeconds: 9 }).retryAfterSeconds]).toEqual([
      2, 9,
    ]);
  });
});

describe("a refused start", () => {
  it("ends with 1, with 65 when the store cannot be used, or with 78 when the configuration is wrong", () => {
    const codes = [{}, { exitCode: 65 }, { exitCode: 78 }] as const;
    expect(codes.map((options) => new CannotStart("x", options).exitCode)).toEqual([1, 65, 78]);
  });
});
