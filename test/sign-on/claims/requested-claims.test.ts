import fc from "fast-check";
import { parseClaimsRequest, scopesToApprove, withinScopes } from "../../../src/sign-on/claims/requested-claims.ts";

const PERSON = "person_AqnsKVwhGnkg841xUstKP";
const OTHER = "person_EXUAD7sVdMrrwGoyGkSEM";
const nothing = { claims: { userinfo: [], idToken: [] }, personIds: undefined, contexts: undefined };

describe("the claims parameter (OIDC Core §5.5, R-X109)", () => {
  it.each<[string, object]>([
    ["{}", {}],
    ['{"userinfo":{},"id_token":{}}', {}],
    // Who must sign in is named under id_token (R-X108).
    ['{"userinfo":{"sub":{"value":"person_7Kq2mZx9Lw4TnB6RcV8Yd"}}}', {}],
    ['{"userinfo":{"name":null}}', { claims: { userinfo: ["name"], idToken: [] } }],
    ['{"userinfo":{"name":{"essential":true}}}', { claims: { userinfo: ["name"], idToken: [] } }],
    [
      '{"id_token":{"email_verified":{},"email":null}}',
      { claims: { userinfo: [], idToken: ["email", "email_verified"] } },
    ],
    // Others are ignored: unknown names, unknown members, members of every object
    ['{"userinfo":{"picture":null,"toString":null,"__proto__":null}}', {}],
    [
      '{"elsewhere":{"name":null},"userinfo":{"name":{"colour":"red"}}}',
      { claims: { userinfo: ["name"], idToken: [] } },
    ],
    // Who must sign in
    [`{"id_token":{"sub":{"value":"${PERSON}"}}}`, { personIds: [PERSON] }],
    [`{"id_token":{"sub":{"values":["${PERSON}","${OTHER}","nobody",7,null]}}}`, { personIds: [PERSON, OTHER] }],
    ['{"id_token":{"sub":{"value":""}}}', { personIds: [] }],
    ['{"id_token":{"sub":null}}', {}],
    ['{"id_token":{"sub":{"essential":true}}}', {}],
    // Which authentication context is essential
    ['{"id_token":{"acr":{"essential":true,"values":["a","b"]}}}', { contexts: ["a", "b"] }],
    ['{"id_token":{"acr":{"essential":true,"value":"a"}}}', { contexts: ["a"] }],
    ['{"id_token":{"acr":{"values":["a"]}}}', {}],
    ['{"id_token":{"acr":{"essential":true,"values":["a",7,null,{"toString":1},["b"]]}}}', { contexts: ["a"] }],
    ['{"id_token":{"acr":{"essential":true,"value":{"toString":1,"valueOf":1}}}}', { contexts: [] }],
    ['{"id_token":{"acr":{"essential":true}}}', {}],
  ])("%s", (json, expected) => {
    expect(parseClaimsRequest(json)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "7",
    '"name"',
    '{"userinfo":null}',
    '{"userinfo":[]}',
    '{"userinfo":"name"}',
    '{"id_token":7}',
    '{"userinfo":{"name":true}}',
    '{"userinfo":{"name":"essential"}}',
    '{"userinfo":{"unknown":[]}}',
    '{"userinfo":{"name":{"essential":"yes"}}}',
    '{"userinfo":{"name":{"values":"a"}}}',
    '{"userinfo":{"name":{"values":[]}}}',
    // What two readers could understand differently, or no store can hold (S40)
    '{"id_token":{"email":null},"id_token":{}}',
    '{"id_token":{"email":{"essential":true,"essential":false}}}',
    '{"id_token":{"email":{"value":"a\\u0000"}}}',
    '{"id_token":{"email":{"value":"\\ud800"}}}',
  ])("refuses %s", (json) => {
    expect(parseClaimsRequest(json)).toBeUndefined();
  });

  it("reads or refuses any text, and any JSON", () => {
    const isOne = (read: unknown) => read === undefined || (typeof read === "object" && "claims" in (read as object));
    const texts = fc.property(fc.string({ unit: "binary" }), (text) => isOne(parseClaimsRequest(text)));
    const documents = fc.property(fc.json(), fc.json(), (one, other) =>
      isOne(parseClaimsRequest(`{"userinfo":${one},"id_token":{"sub":${other},"acr":${one}}}`)),
    );
    expect(() => fc.assert(texts)).not.toThrow();
    expect(() => fc.assert(documents)).not.toThrow();
  });
});

describe("single claims and scopes", () => {
  const claims = { userinfo: ["name", "email"], idToken: ["given_name"] } as const;

  it("keeps those of the given scopes", () => {
    expect(withinScopes(claims, ["openid", "email"])).toEqual({ userinfo: ["email"], idToken: [] });
    expect(withinScopes(claims, ["openid", "email", "profile"])).toEqual(claims);
  });

  it("names the scopes that a person is asked about, each once, in order", () => {
    expect(scopesToApprove({ scopes: ["openid"], claims })).toEqual(["openid", "profile", "email"]);
    expect(scopesToApprove({ scopes: ["openid", "profile"], claims: { userinfo: [], idToken: [] } })).toEqual([
      "openid",
      "profile",
    ]);
  });
});
