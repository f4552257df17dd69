import { ApplicationKind } from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { UserStatus } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { lowerWordOf, lowerWordsOf, valueOfLower, wordOf } from "../../../src/runtime/basis/enum-words.ts";

describe("words for the values of generated enums", () => {
  it("omit the prefix and the value UNSPECIFIED", () => {
    expect(lowerWordsOf(ApplicationKind)).toEqual(["web", "browser", "native"]);
    expect(valueOfLower(ApplicationKind, "native")).toBe(ApplicationKind.NATIVE);
    expect(lowerWordOf(ApplicationKind, "APPLICATION_KIND_WEB")).toBe("web");
    expect(wordOf(UserStatus, "USER_STATUS_INVITED")).toBe("INVITED");
  });

  it.each(["USER_STATUS_UNSPECIFIED", "UNRECOGNIZED"] as const)("are absent for %s", (value) => {
    expect(wordOf(UserStatus, value)).toBeUndefined();
    expect(lowerWordOf(UserStatus, value)).toBeUndefined();
  });

  it("lead back to each value", () => {
    const words = lowerWordsOf(ApplicationKind);
    expect(words.map((word) => lowerWordOf(ApplicationKind, valueOfLower(ApplicationKind, word)))).toEqual(words);
  });
});
