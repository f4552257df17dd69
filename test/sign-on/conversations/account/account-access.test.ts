import type { ApplicationId, InstanceId } from "../../../../src/runtime/basis/ids.ts";
import { mergedAccesses } from "../../../../src/sign-on/conversations/account/account-service.ts";

const access = (
  applicationId: string,
  instanceId: string,
  scopes: readonly string[],
  since: number,
  ended = false,
) => ({
  applicationId: applicationId as ApplicationId,
  instanceId: instanceId as InstanceId,
  scopes,
  since: new Date(since),
  ended,
});

describe("what applications may see of a person", () => {
  it("is one entry per application and instance, scopes together, since the earliest, the latest first", () => {
    expect(
      mergedAccesses([
        access("a", "x", ["openid"], 5),
        access("b", "x", ["openid"], 9),
        access("a", "x", ["email", "openid"], 3),
        access("a", "y", ["email"], 4),
      ]),
    ).toEqual([
      access("b", "x", ["openid"], 9),
      access("a", "y", ["email"], 4),
      access("a", "x", ["openid", "email"], 3),
    ]);
    expect(mergedAccesses([])).toEqual([]);
  });

  it("has ended where no part of it lives (R-X399)", () => {
    expect(
      mergedAccesses([
        access("a", "x", ["openid"], 1, true),
        access("a", "x", ["openid"], 2),
        access("b", "x", ["openid"], 1, true),
        access("b", "x", ["email"], 2, true),
      ]).map(({ applicationId, ended }) => [applicationId, ended]),
    ).toEqual([
      ["a", false],
      ["b", true],
    ]);
  });
});
