import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import type { Application } from "../../../src/sign-on/applications/application.ts";
import { NO_CLAIMS } from "../../../src/sign-on/claims/requested-claims.ts";
import type { AuthorizationRequest, Prompt } from "../../../src/sign-on/interactions/interaction.ts";
import { needOfConsent, needOfMembership, needOfSignIn } from "../../../src/sign-on/interactions/needs.ts";

const REQUESTED_AT = new Date("2026-06-30T08:00:00.000Z");
const NOW = new Date("2026-06-30T08:10:00.000Z");
const secondsBefore = (seconds: number) => new Date(REQUESTED_AT.getTime() - seconds * 1000);
const secondsAfter = (seconds: number) => new Date(REQUESTED_AT.getTime() + seconds * 1000);
const MAREN = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;
const SIGN_IN = { kind: "sign in" };
const refusing = (error: string) => ({ kind: "refuse", refused: expect.objectContaining({ error }) });
const loginRequired = refusing("login_required");

type Row = readonly [
  session: Date | undefined,
  prompts: Prompt[],
  maxAgeSeconds: number | undefined,
  expected: unknown,
];

describe("whether a person must sign in (OIDC Core §3.1.2.1)", () => {
  const need = ([authenticatedAt, prompts, maxAgeSeconds]: Row, now = NOW) =>
    needOfSignIn(
      { prompts, maxAgeSeconds, expectedPersonIds: undefined },
      authenticatedAt && { authenticatedAt, personId: MAREN },
      { requestedAt: REQUESTED_AT, now },
    );

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
    [secondsAfter(0), [], 0, undefined],
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

describe("whether the person is the one that was asked for (OIDC Core §3.1.2.1 id_token_hint, §5.5.1 sub)", () => {
  const times = { requestedAt: REQUESTED_AT, now: NOW };
  const asked = (prompts: Prompt[], expectedPersonIds: readonly PersonId[]) => ({
    prompts,
    maxAgeSeconds: undefined,
    expectedPersonIds,
  });
  const session = (personId: PersonId, authenticatedAt = secondsBefore(60)) => ({ personId, authenticatedAt });

  it.each<[Prompt[], PersonId[], ReturnType<typeof session> | undefined, boolean, unknown]>([
    [[], [MAREN], session(MAREN), false, undefined],
    [["none"], [MAREN], session(MAREN), false, undefined],
    [[], [TOMAS, MAREN], session(MAREN), false, undefined],
    [["login"], [MAREN], session(MAREN), false, SIGN_IN],
    [[], [MAREN], undefined, false, SIGN_IN],
    [["none"], [MAREN], undefined, false, loginRequired],
    [[], [MAREN], session(TOMAS), false, SIGN_IN],
    [["none"], [MAREN], session(TOMAS), false, loginRequired],
    // Signed in in another tab since: this tab still asks for the one.
    [[], [MAREN], session(TOMAS, secondsAfter(1)), false, SIGN_IN],
    // On this very page: asking a second time would never end.
    [[], [MAREN], session(TOMAS, secondsAfter(1)), true, loginRequired],
    [[], [MAREN], session(MAREN, secondsAfter(1)), true, undefined],
  ])("prompt %j for %j, session %j, just signed in %j: %j", (prompts, ids, found, justSignedIn, expected) => {
    expect(needOfSignIn(asked(prompts, ids), found, { ...times, justSignedIn })).toEqual(expected);
  });
});

describe("whether a person has a seat (R-S7)", () => {
  it.each([
    ["member", undefined],
    ["none", refusing("access_denied")],
    ["disabled", refusing("access_denied")],
  ] as const)("%s: %j", (membership, expected) => {
    expect(needOfMembership(membership, { prompts: [] })).toEqual(expected);
  });

  it("tells the application of a disabled person what it tells of one without a seat, and the operator more (S19)", () => {
    const [disabled, none] = (["disabled", "none"] as const).map((membership) => {
      const need = needOfMembership(membership, { prompts: [] });
      return need?.kind === "refuse" ? need.refused : undefined;
    });
    expect([disabled?.error, disabled?.sentence]).toEqual([none?.error, none?.sentence]);
    expect([disabled?.check, none?.check]).toEqual(["membership.disabled", "membership.none"]);
  });
});

describe("a person who was disabled since signing in, and enabled again (R-X93)", () => {
  it("signs in again, and without a page that is login_required", () => {
    expect(needOfMembership("signed out", { prompts: [] })).toEqual({ kind: "sign in" });
    const refused = refusing("login_required");
    expect(needOfMembership("signed out", { prompts: ["none"] })).toEqual(refused);
  });
});

describe("whether a person must be asked (R-S18)", () => {
  const application = { secretDigest: Buffer.alloc(32), consentPolicy: "once" } as Application;
  const request = (prompts: Prompt[]) =>
    ({
      redirectUri: "https://app.example/cb",
      scopes: ["openid", "email"],
      claims: NO_CLAIMS,
      prompts,
    }) as unknown as AuthorizationRequest;

  it.each<[Prompt[], readonly string[], unknown]>([
    [[], [], { kind: "consent" }],
    [[], ["openid"], { kind: "consent" }],
    [[], ["email", "openid", "profile"], undefined],
    [["consent"], ["email", "openid"], { kind: "consent" }],
    [["login"], ["email", "openid"], undefined],
    [["none"], ["email", "openid"], undefined],
    [["none"], ["openid"], refusing("consent_required")],
    [["none"], [], refusing("consent_required")],
  ])("prompt %j, approved before %j: %j", (prompts, approved, expected) => {
    expect(needOfConsent(application, request(prompts), approved)).toEqual(expected);
  });

  it("asks about the scope that a single claim belongs to (OIDC Core §5.5, R-X109)", () => {
    const named: AuthorizationRequest = { ...request([]), claims: { userinfo: ["name"], idToken: [] } };
    expect(needOfConsent(application, named, ["openid", "email"])).toEqual({ kind: "consent" });
    expect(needOfConsent(application, named, ["openid", "email", "profile"])).toBeUndefined();
  });
});
