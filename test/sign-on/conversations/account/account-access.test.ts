import type { ApplicationId, InstanceId } from "../../../../src/runtime/basis/ids.ts";
import { mergedAccesses } from "../../../../src/sign-on/conversations/account/account-service.ts";

const access = (applicationId: string, instanceId: string, scopes: readonly string[], since: number) => ({
  applicationId: applicationId as ApplicationId,
  instanceId: instanceId as InstanceId,
  scopes,
  since: new Date(since),
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
});
