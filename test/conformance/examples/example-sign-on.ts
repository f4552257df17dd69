import { at, digestOf, EXAMPLE, type Rows } from "./example-names.ts";

const { applicationId, instanceId, managerPersonId, personId, redirectUri } = EXAMPLE;

/** Which application may ask. */
export const applicationRows: Rows = [
  [
    "sign_on_applications",
    {
      id: applicationId,
      name: "Payroll",
      kind: "web",
      secret_digest: digestOf(EXAMPLE.applicationSecret),
      scopes: JSON.stringify(["openid", "profile", "email", "offline_access"]),
      pkce_required: 0,
      consent_policy: "always",
      authorization_code_seconds: 600,
      access_token_seconds: 3600,
      id_token_seconds: 3600,
      refresh_token_idle_seconds: 2_592_000,
      refresh_token_absolute_seconds: 15_552_000,
      created_at: at("2026-02-05T08:00:00Z"),
      grant_types: JSON.stringify(["authorization_code", "refresh_token"]),
      refresh_repeat_seconds: 30,
      cors_origins: "[]",
      post_logout_redirect_uris: JSON.stringify(["https://payroll.example/signed-out"]),
    },
  ],
  ["sign_on_redirect_uris", { application_id: applicationId, uri: redirectUri, instance_id: instanceId }],
];

/** What passes, by time or by use: good again for every request. */
export function passingRows(now: number): Rows {
  const authorized = {
    application_id: applicationId,
    instance_id: instanceId,
    person_id: personId,
    session_digest: digestOf("a session"),
    scopes: JSON.stringify(["openid", "profile", "email"]),
    authenticated_at: now - 5_000,
    issued_at: now - 1_000,
    expires_at: now + 600_000,
  };
  const claims = JSON.stringify({ idToken: [], userinfo: [] });
  const ofCode = { ...authorized, number: 1, redirect_uri: redirectUri, claims, generation: 0 };
  const ofToken = { ...ofCode, number: 2, generation: 2, redeemed_at: now - 1_000, ends_at: now + 600_000 };
  const successor = { successor_salt: digestOf("a salt"), successor_scopes: authorized.scopes };
  return [
    [
      "sign_on_families",
      {
        ...ofCode,
        ...successor,
        token_digest: digestOf(EXAMPLE.code),
        nonce: "n-0S6_WzA2Mj",
        // RFC 7636, appendix B; its verifier is the example's.
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      },
      { ...ofToken, ...successor, token_digest: digestOf(EXAMPLE.refreshToken), nonce: null, code_challenge: null },
    ],
    // The examples are texts of the earlier form, which need no master key: these rows lead from them to the family.
    [
      "sign_on_authorization_codes",
      { ...authorized, digest: digestOf(EXAMPLE.code), redirect_uri: redirectUri, claims, number: 1 },
    ],
    ["sign_on_token_families", { ...authorized, id: "f3Kq8LmZ2Wx7Vb5Nc9Rt1Q", userinfo_claims: "[]", number: 2 }],
    [
      "sign_on_refresh_tokens",
      {
        digest: digestOf(EXAMPLE.refreshToken),
        family_id: "f3Kq8LmZ2Wx7Vb5Nc9Rt1Q",
        issued_at: now - 1_000,
        expires_at: now + 600_000,
      },
    ],
    [
      "sign_on_password_links",
      {
        digest: digestOf(EXAMPLE.passwordLink),
        person_id: managerPersonId,
        purpose: "invitation",
        created_at: now - 1_000,
        expires_at: now + 600_000,
      },
    ],
    [
      "sign_on_logouts",
      {
        id: EXAMPLE.logout,
        application_id: applicationId,
        post_logout_redirect_uri: "https://payroll.example/signed-out",
        state: "af0ifjsldkj",
        created_at: now - 1_000,
        expires_at: now + 600_000,
      },
    ],
  ];
}
