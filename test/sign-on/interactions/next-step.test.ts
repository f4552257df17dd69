import type { Application } from "../../../src/sign-on/applications/application.ts";
import type { AuthorizationRequest, Prompt } from "../../../src/sign-on/interactions/interaction.ts";
import { needOfConsent, needOfMembership, needOfSignIn } from "../../../src/sign-on/interactions/next-step.ts";

const REQUESTED_AT = new Date("2026-06-30T08:00:00.000Z");
const NOW = new Date("2026-06-30T08:10:00.000Z");
const secondsBefore = (seconds: number) => new Date(REQUESTED_AT.getTime() - seconds * 1000);
const secondsAfter = (seconds: number) => new Date(REQUESTED_AT.getTime() + seconds * 1000);
const SIGN_IN = { kind: "sign in" };
const loginRequired = expect.objectContaining({ kind: "refuse", error: "login_required" });

type Row = readonly [
  session: Date | undefined,
  prompts: Prompt[],
  maxAgeSeconds: number | undefined,
  expected: unknown,
];

describe("whether a person must sign in (OIDC Core §3.1.2.1)", () => {
  const need = ([authenticatedAt, prompts, maxAgeSeconds]: Row, now = NOW) =>
    needOfSignIn({ prompts, maxAgeSeconds }, authenticatedAt && { authenticatedAt }, {
      requestedAt: REQUESTED_AT,
      now,
    });

  it.each<Row>([
    // No session
    [undefined, [], undefined, SIGN_IN],
    [undefined, ["login"], undefined, SIGN_IN],
    [undefined, ["consent"], undefined, SIGN_IN],
    [undefined, [], 3_600, SIGN_IN],
    [undefined, ["none"], undefined, loginRequired],
    [undefined, ["none"], 0, loginRequired],
    // A session from before the request
    [secondsBefore(1), [], undefined, undefined],
    [secondsBefore(86_400), [], undefined, undefined],
    [secondsBefore(1), ["none"], undefined, undefined],
    [secondsBefore(1), ["consent"], undefined, undefined],
    [secondsBefore(1), ["login"], undefined, SIGN_IN],
    [secondsBefore(1), ["select_account"], undefined, SIGN_IN],
    [secondsBefore(1), ["login", "consent"], undefined, SIGN_IN],
    [secondsBefore(0.001), ["login"], undefined, SIGN_IN],
    // max_age counts from now, ten minutes after the request
    [secondsBefore(60), [], 660, undefined],
    [secondsBefore(60), [], 659, SIGN_IN],
    [secondsBefore(60), ["none"], 660, undefined],
    [secondsBefore(60), ["none"], 659, loginRequired],
    [secondsBefore(60), [], 0, SIGN_IN],
    [secondsBefore(60), ["none"], 0, loginRequired],
    [secondsBefore(60), [], 999_999_999, undefined],
    [secondsBefore(60), ["login"], 999_999_999, SIGN_IN],
    // A password entered since the request began answers everything, however long the consent page took
    [secondsAfter(0), ["login"], undefined, undefined],
    [secondsAfter(1), ["login"], undefined, undefined],
    [secondsAfter(1), ["select_account"], undefined, undefined],
    [secondsAfter(1), [], 0, undefined],
    [secondsAfter(1), ["login"], 1, undefined],
    [secondsAfter(1), ["none"], 0, undefined],
  ])("session of %j, prompt %j, max_age %j: %j", (...row) => {
    expect(need(row)).toEqual(row[3]);
  });

  it("takes a max_age to the millisecond", () => {
    const row: Row = [REQUESTED_AT, [], 600, undefined];
    const earlier: Row = [secondsBefore(1), [], 600, undefined];
    expect(need(row)).toBeUndefined();
    expect(need(earlier, new Date(secondsBefore(1).getTime() + 600_000))).toBeUndefined();
    expect(need(earlier, new Date(secondsBefore(1).getTime() + 600_001))).toEqual(SIGN_IN);
  });
});

describe("whether a person has a seat (R-S7)", () => {
  it.each([
    ["member", undefined],
    ["none", expect.objectContaining({ kind: "refuse", error: "access_denied" })],
    ["disabled", expect.objectContaining({ kind: "refuse", error: "access_denied" })],
  ] as const)("%s: %j", (membership, expected) => {
    expect(needOfMembership(membership, { prompts: [] })).toEqual(expected);
  });

  it("does not tell a disabled person from one without a seat", () => {
    expect(needOfMembership("disabled", { prompts: [] })).toEqual(needOfMembership("none", { prompts: [] }));
  });
});

describe("a person who was disabled since signing in, and enabled again (R-X93)", () => {
  it("signs in anew, and without a page that is login_required", () => {
    expect(needOfMembership("signed out", { prompts: [] })).toEqual({ kind: "sign in" });
    const refused = expect.objectContaining({ kind: "refuse", error: "login_required" });
    expect(needOfMembership("signed out", { prompts: ["none"] })).toEqual(refused);
  });
});

describe("whether a person must be asked (R-S18)", () => {
  const application = { secretDigest: Buffer.alloc(32), consentPolicy: "once" } as Application;
  const request = (prompts: Prompt[]) =>
    ({
      redirectUri: "https://app.example/cb",
      scopes: ["openid", "email"],
      prompts,
    }) as unknown as AuthorizationRequest;

  it.each<[Prompt[], readonly string[], unknown]>([
    [[], [], { kind: "consent" }],
    [[], ["openid"], { kind: "consent" }],
    [[], ["email", "openid", "profile"], undefined],
    [["consent"], ["email", "openid"], { kind: "consent" }],
    [["login"], ["email", "openid"], undefined],
    [["none"], ["email", "openid"], undefined],
    [["none"], ["openid"], expect.objectContaining({ kind: "refuse", error: "consent_required" })],
    [["none"], [], expect.objectContaining({ kind: "refuse", error: "consent_required" })],
  ])("prompt %j, approved before %j: %j", (prompts, approved, expected) => {
    expect(needOfConsent(application, request(prompts), approved)).toEqual(expected);
  });
});
