import { type Identity, SeatKind } from "../../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { CLAIM_NAMES, toClaims } from "../../../src/sign-on/claims/claims-wire.ts";
import { personClaims } from "../../../src/sign-on/claims/person-claims.ts";
import type { Scope } from "../../../src/sign-on/claims/scopes.ts";

const MAREN: Identity = {
  personId: "person_1",
  workerProfileId: "profile_1",
  email: "Maren.Dahl@harbour.example",
  emailVerified: false,
  firstName: "Maren",
  lastName: "Dahl",
  users: [
    { userId: "user_1", tenantId: "client_1" },
    { userId: "user_2", tenantId: "client_2" },
  ],
  workers: [{ workerId: "worker_1", tenantId: "client_2" }],
  lastLoginContext: { kind: SeatKind.WORKER, tenantId: "client_2" },
};
/** As ID tokens and userinfo have them. */
const identityClaims = (...given: Parameters<typeof personClaims>) => toClaims(personClaims(...given));

const ALWAYS = ["sub", "workerProfileId", "userIds", "workerIds", "lastLoginContext"];
const PROFILE = ["name", "firstName", "lastName", "given_name", "family_name"];
const EMAIL = ["email", "email_verified"];

describe("identity claims (spec §2.7)", () => {
  it.each<[readonly Scope[], readonly string[]]>([
    [[], ALWAYS],
    [["openid"], ALWAYS],
    [["offline_access"], ALWAYS],
    [["profile"], [...ALWAYS, ...PROFILE]],
    [
      ["openid", "email"],
      [...ALWAYS, ...EMAIL],
    ],
    [
      ["openid", "profile", "email", "offline_access"],
      [...ALWAYS, ...PROFILE, ...EMAIL],
    ],
  ])("scope %j gives %j (R-S6, R-S8)", (scopes, names) => {
    expect(Object.keys(identityClaims(MAREN, scopes)).sort()).toEqual([...names].sort());
  });

  it("says everything in wire words", () => {
    expect(identityClaims(MAREN, ["openid", "profile", "email"])).toEqual({
      sub: "person_1",
      name: "Maren Dahl",
      firstName: "Maren",
      given_name: "Maren",
      lastName: "Dahl",
      family_name: "Dahl",
      email: "Maren.Dahl@harbour.example",
      email_verified: false,
      workerProfileId: "profile_1",
      userIds: [
        { id: "user_1", clientId: "client_1" },
        { id: "user_2", clientId: "client_2" },
      ],
      workerIds: [{ id: "worker_1", clientId: "client_2" }],
      lastLoginContext: { userType: "WORKER", clientId: "client_2" },
    });
  });

  it("says USER for a user's seat", () => {
    const identity = { ...MAREN, lastLoginContext: { kind: SeatKind.USER, tenantId: "client_1" } };
    expect(identityClaims(identity, []).lastLoginContext).toEqual({ userType: "USER", clientId: "client_1" });
  });

  it("includes seats also when there are none, and leaves out what has no value (R-S6, R-D2)", () => {
    const bare = { ...MAREN, firstName: null, lastName: undefined, users: [], workers: [], lastLoginContext: null };
    expect(identityClaims(bare, ["openid", "profile"])).toEqual({
      sub: "person_1",
      workerProfileId: "profile_1",
      userIds: [],
      workerIds: [],
    });
  });

  it.each([
    ["Maren", null, { name: "Maren", firstName: "Maren", given_name: "Maren" }],
    [null, "Dahl", { name: "Dahl", lastName: "Dahl", family_name: "Dahl" }],
  ])("returns the only name: %j %j", (firstName, lastName, returned) => {
    const {
      sub: _,
      workerProfileId: __,
      userIds: ___,
      workerIds: ____,
      lastLoginContext: _____,
      ...names
    } = identityClaims({ ...MAREN, firstName, lastName }, ["profile"]);
    expect(names).toEqual(returned);
  });

  it.each(["firstName", "given_name", "name", "email"] as const)(
    "says %s alone when it was requested by name (R-X109)",
    (claim) => {
      expect(Object.keys(identityClaims(MAREN, ["openid"], [claim])).sort()).toEqual([...ALWAYS, claim].sort());
    },
  );

  it("returns only claims that discovery lists", () => {
    const returned = Object.keys(identityClaims(MAREN, ["openid", "profile", "email", "offline_access"]));
    expect(returned.filter((name) => !(CLAIM_NAMES as readonly string[]).includes(name))).toEqual([]);
  });
});
