import { idFormViolation, idViolations, optionalIdViolations } from "../../../src/runtime/basis/id-violation.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";

describe("what is wrong with an id", () => {
  it("is nothing when it is one of that kind", () => {
    expect(idViolations("tenant", "tenant_id", newId("tenant", systemRandom))).toEqual([]);
    expect(optionalIdViolations("tenant", "tenant_id", newId("tenant", systemRandom))).toEqual([]);
  });

  it("is nothing when a field that may be left out was", () => {
    expect(optionalIdViolations("tenant", "tenant_id", null)).toEqual([]);
    expect(optionalIdViolations("tenant", "tenant_id", undefined)).toEqual([]);
    expect(optionalIdViolations("tenant", "tenant_id", "")).toHaveLength(1);
  });

  it.each([
    ["tenant", "must be the id of a tenant"],
    ["event", "must be the id of an event"],
    ["instanceIntegration", "must be the id of an instance integration"],
  ] as const)("names the field and the kind: %s", (kind, reason) => {
    expect(idViolations(kind, "the_field", newId("worker", systemRandom))).toEqual([{ field: "the_field", reason }]);
    expect(idViolations(kind, "the_field", "")).toEqual([{ field: "the_field", reason }]);
  });

  it("names the form with the prefix of the kind", () => {
    expect(idFormViolation("tenant")).toBe("must be client_ followed by 21 letters or digits");
  });
});
