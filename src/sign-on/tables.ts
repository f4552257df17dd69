import type { Generated } from "kysely";

/** Instants are Unix milliseconds, lists are JSON text, flags 0 and 1, digests SHA-256. */

export interface ApplicationsTable {
  readonly id: string;
  readonly name: string;
  /** web, browser, native */
  readonly kind: string;
  /** Null for a public application. */
  readonly secret_digest: Buffer | null;
  readonly scopes: string;
  readonly pkce_required: number;
  /** always, once, never */
  readonly consent_policy: string;
  readonly authorization_code_seconds: number;
  readonly access_token_seconds: number;
  readonly id_token_seconds: number;
  readonly refresh_token_idle_seconds: number;
  readonly refresh_token_absolute_seconds: number;
  readonly created_at: number;
  readonly grant_types: string;
  readonly refresh_repeat_seconds: number;
  readonly cors_origins: string;
  readonly post_logout_redirect_uris: string;
  /** The secret before the last rotation, valid until `previous_secret_expires_at`; both null or neither. */
  readonly previous_secret_digest: Buffer | null;
  readonly previous_secret_expires_at: number | null;
  /** When the previous secret was accepted last; null where it was not, or where there is none. */
  readonly previous_secret_used_at: number | null;
  readonly updated_at: number | null;
  readonly disabled_at: number | null;
  /** When it was last disabled or enabled: earlier token families are void. */
  readonly issues_void_until: number | null;
  /** A deleted application is disabled too; its row stays while tokens may refer to it. */
  readonly deleted_at: number | null;
}

interface RedirectUrisTable {
  readonly application_id: string;
  readonly uri: string;
  readonly instance_id: string;
}

export interface InteractionsTable {
  readonly id: string;
  readonly secret_digest: Buffer;
  readonly application_id: string;
  readonly redirect_uri: string;
  readonly instance_id: string;
  readonly scopes: string;
  readonly state: string | null;
  readonly nonce: string | null;
  readonly code_challenge: string | null;
  readonly prompts: string;
  readonly max_age_seconds: number | null;
  readonly login_hint: string | null;
  /** query, form_post */
  readonly response_mode: string;
  readonly ui_locales: string | null;
  /** Null for any person. */
  readonly expected_person_ids: string | null;
  /** JSON of `RequestedClaims`. */
  readonly claims: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
}

export interface SessionsTable {
  readonly digest: Buffer;
  readonly person_id: string;
  readonly authenticated_at: number;
  readonly seen_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  /** What the browser calls itself, in words of a closed list; null for an unknown one. */
  readonly browser: string | null;
  readonly system: string | null;
}

/** Requests for sign-out that wait for an answer. */
interface LogoutsTable {
  readonly id: string;
  readonly application_id: string | null;
  readonly post_logout_redirect_uri: string | null;
  readonly state: string | null;
  readonly sid: string | null;
  /** Whose ID token the hint was. */
  readonly person_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

interface CredentialsTable {
  readonly person_id: string;
  /** PHC string. */
  readonly password_hash: string;
  readonly updated_at: number;
}

export interface PasswordLinksTable {
  readonly digest: Buffer;
  readonly person_id: string;
  /** invitation, reset */
  readonly purpose: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  /** used, withdrawn; null while it is open. */
  readonly ended_because: string | null;
  /** The person's, when the link was made; null for links of earlier programs. */
  readonly person_state: string | null;
}

interface ConsentsTable {
  readonly person_id: string;
  readonly application_id: string;
  readonly instance_id: string;
  readonly scopes: string;
  readonly granted_at: number;
}

/** A token family from its code to its last refresh token; until it is redeemed it is an authorization code. */
export interface FamiliesTable {
  /** In the order of time; see token-numbers/family-number.ts. */
  readonly number: number;
  readonly application_id: string;
  readonly redirect_uri: string;
  readonly instance_id: string;
  readonly person_id: string;
  readonly session_digest: Buffer;
  readonly scopes: string;
  /** JSON of `RequestedClaims`. */
  readonly claims: string;
  /** Of the code; null once it is redeemed. */
  readonly nonce: string | null;
  readonly code_challenge: string | null;
  readonly authenticated_at: number;
  /** 0 for the code, then one more with each refresh token. */
  readonly generation: number;
  /** Of the code or refresh token of this generation; earlier ones are not kept. */
  readonly token_digest: Buffer;
  readonly issued_at: number;
  /** A code's end, or a refresh token's idle limit. */
  readonly expires_at: number;
  readonly redeemed_at: number | null;
  /** After this instant all tokens of the family are invalid (R-S9). */
  readonly ends_at: number | null;
  /** When the generation before was replaced; null for a code and the first refresh token. */
  readonly replaced_at: number | null;
  /** The salt: with the token before, it gives the current one. Until there is one, it means nothing. */
  readonly successor_salt: Buffer;
  /** What the first answer with the current token granted. */
  readonly successor_scopes: string;
  /** When the unused code's expiry was recorded. Validity depends on `expires_at` alone. */
  readonly expired_at: number | null;
  readonly revoked_at: number | null;
  readonly revoked_because: string | null;
}

/** Codes from before migration 12. Nothing is written here any more; the number leads on. */
interface EarlierCodesTable {
  readonly digest: Buffer;
  readonly family_id: string | null;
  readonly expires_at: number;
  /** Of a code that was not redeemed yet. */
  readonly number: number | null;
}

/** Families from before migration 12; the same. */
interface EarlierFamiliesTable {
  readonly id: string;
  readonly expires_at: number;
  readonly number: number | null;
}

/** Refresh tokens from before migration 12; the same. */
interface EarlierRefreshTokensTable {
  readonly digest: Buffer;
  readonly family_id: string;
  readonly expires_at: number;
  readonly predecessor_digest: Buffer | null;
  readonly rotated_at: number | null;
}

/** Access tokens revoked by themselves while their family lives; a row is deleted two days after the token would have expired. */
interface RevokedAccessTokensTable {
  /** The claim `jti`. */
  readonly token_id: string;
  readonly revoked_at: number;
  readonly expires_at: number;
}

export interface SigningKeysTable {
  readonly key_id: string;
  /** RS256, ES256 */
  readonly algorithm: string;
  /** next, active, retiring, retired */
  readonly state: string;
  readonly public_jwk: string;
  /** PKCS #8 DER, sealed; empty once the key is retired. */
  readonly sealed_private_key: Buffer;
  readonly created_at: number;
  /** A next key becomes active at this instant at the earliest. */
  readonly signs_from: number;
  readonly activated_at: number | null;
  /** An operator requested the successor of this active key before it was ready. */
  readonly rotation_asked_at: number | null;
  /** A retiring key is retired at this instant. */
  readonly retires_at: number | null;
  readonly retired_at: number | null;
  /** Why it was retired early. */
  readonly revoked_because: string | null;
}

export interface SignInsTable {
  readonly id: Generated<number>;
  readonly person_id: string;
  readonly at: number;
  /** succeeded, failed */
  readonly outcome: string;
  /** wrong_password, person_disabled; null when it succeeded. */
  readonly reason: string | null;
  readonly application_id: string | null;
  readonly instance_id: string | null;
  readonly user_agent: string | null;
  /** Prefix in CIDR notation. */
  readonly network: string | null;
}

/** How many recent failures an address, network or device has; see throttling/throttle.ts. */
export interface ThrottlesTable {
  /** Keyed digest of an e-mail address, a network or a device. */
  readonly subject: Buffer;
  /** When all failures will be forgotten; their number follows from it. */
  readonly clear_at: number;
  /** Until then attempts are rejected without a password check. */
  readonly open_at: number;
}

/** Recent refusals, for operators; bounded in rows and age. */
export interface RefusalsTable {
  readonly request_id: string;
  readonly refused_at: number;
  readonly operation: string;
  readonly check_name: string;
  readonly error: string;
  /** What the answer said, with the value that it quotes as sent. */
  readonly sentence: string;
  readonly application_id: string | null;
  /** Names of known parameters. */
  readonly parameters: string;
  /** As sent, shortened. */
  readonly redirect_uri: string | null;
}

export interface SignOnTables {
  sign_on_applications: ApplicationsTable;
  sign_on_redirect_uris: RedirectUrisTable;
  sign_on_interactions: InteractionsTable;
  sign_on_sessions: SessionsTable;
  sign_on_logouts: LogoutsTable;
  sign_on_credentials: CredentialsTable;
  sign_on_password_links: PasswordLinksTable;
  sign_on_consents: ConsentsTable;
  sign_on_families: FamiliesTable;
  sign_on_authorization_codes: EarlierCodesTable;
  sign_on_token_families: EarlierFamiliesTable;
  sign_on_refresh_tokens: EarlierRefreshTokensTable;
  sign_on_revoked_access_tokens: RevokedAccessTokensTable;
  sign_on_signing_keys: SigningKeysTable;
  sign_on_sign_ins: SignInsTable;
  sign_on_throttles: ThrottlesTable;
  sign_on_refusals: RefusalsTable;
}
