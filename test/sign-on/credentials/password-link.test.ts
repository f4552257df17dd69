import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import {
  endOfLink,
  type LinkHolder,
  type PasswordLink,
  passwordLinkUrl,
} from "../../../src/sign-on/credentials/password-link.ts";

const MADE = new Date("2026-06-30T08:00:00Z");
const at = (ms: number) => new Date(MADE.getTime() + ms);
const LINK: PasswordLink = {
  digest: Buffer.alloc(32),
  personId: "person_a" as PersonId,
  purpose: "reset",
  createdAt: MADE,
  expiresAt: at(1_000),
  endedBecause: undefined,
  personState: undefined,
};
const HOLDER: LinkHolder = { disabled: false, enabledAt: undefined, emailChangedAt: undefined, state: "0.0" };

describe("why a password link is not good (R-S19, R-X96)", () => {
  it.each<[string, PasswordLink | undefined, LinkHolder | undefined, Date, ReturnType<typeof endOfLink>]>([
    ["it is", LINK, HOLDER, at(0), undefined],
    ["to the last millisecond it is", LINK, HOLDER, at(999), undefined],
    ["its time is over", LINK, HOLDER, at(1_000), "expired"],
    ["there is none", undefined, HOLDER, at(0), "unknown"],
    ["it was used", { ...LINK, endedBecause: "used" }, HOLDER, at(0), "used"],
    ["it was used, and its time is over", { ...LINK, endedBecause: "used" }, HOLDER, at(2_000), "used"],
    ["it was withdrawn", { ...LINK, endedBecause: "withdrawn" }, HOLDER, at(0), "withdrawn"],
    ["the person is gone", LINK, undefined, at(0), "withdrawn"],
    ["the person is disabled", LINK, { ...HOLDER, disabled: true }, at(0), "withdrawn"],
    ["the person was disabled meanwhile (R-X93)", LINK, { ...HOLDER, enabledAt: at(1) }, at(2), "withdrawn"],
    ["it was made when the person was enabled again", LINK, { ...HOLDER, enabledAt: at(0) }, at(2), undefined],
    ["the address was changed since (R-S8)", LINK, { ...HOLDER, emailChangedAt: at(1) }, at(2), "withdrawn"],
    ["the address was changed at that instant", LINK, { ...HOLDER, emailChangedAt: at(0) }, at(2), "withdrawn"],
    ["the address was changed before", LINK, { ...HOLDER, emailChangedAt: at(-1) }, at(2), undefined],
    [
      "the person has another state, though its instants are earlier",
      { ...LINK, personState: "0.0" },
      { ...HOLDER, emailChangedAt: at(-1), state: "5.0" },
      at(2),
      "withdrawn",
    ],
    [
      "the person has the state that it was made for, though its instants are later",
      { ...LINK, personState: "5.0" },
      { ...HOLDER, emailChangedAt: at(1), state: "5.0" },
      at(2),
      undefined,
    ],
  ])("%s", (_, link, holder, now, end) => {
    expect(endOfLink(link, holder, now)).toBe(end);
  });

  it("leads to the issuer", () => {
    expect(passwordLinkUrl("https://sign-on.example:8443", "a-b_c")).toBe(
      "https://sign-on.example:8443/auth/set-password?token=a-b_c",
    );
  });
});
