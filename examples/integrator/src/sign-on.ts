import * as oidc from "openid-client";
import type { Settings } from "./settings.ts";

/** Values that the browser must keep between leaving for Gatehouse and coming back. */
export interface PendingSignIn {
  /** Comes back unchanged: proves that the answer belongs to a sign-in which this browser began here. */
  readonly state: string;
  /** Comes back inside the ID token: proves that the token was made for this sign-in. */
  readonly nonce: string;
  /** Its hash was sent with the request (PKCE): a stolen code cannot be redeemed without this value. */
  readonly codeVerifier: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export interface SignedIn {
  readonly idToken: Claims;
  /** The ID token as it came: it proves to Gatehouse whom a request to sign out is about. */
  readonly idTokenText: string;
  /** The answer of the userinfo endpoint, or why there is none. */
  readonly userinfo: { readonly claims: Claims } | { readonly error: unknown };
  /** The scopes that were granted, which may be fewer than we asked for. */
  readonly scope: string;
}

export interface SignOn {
  /** `again` asks for the password even when Gatehouse still knows the person. */
  begin(options: { again: boolean }): Promise<{ location: URL; pending: PendingSignIn }>;
  /** Redeems the code in the callback's query. @throws openid-client's errors; sign-in-problem.ts explains them. */
  finish(query: URLSearchParams, pending: PendingSignIn): Promise<SignedIn>;
  /** Where the browser signs out of Gatehouse too; it comes back to this program's page, which is registered for that. */
  signOutAddress(person: SignedIn): Promise<URL>;
}

export function signOn(settings: Settings): SignOn {
  const provider = discoverAtFirstUse(settings);
  return {
    async begin({ again }) {
      const pending: PendingSignIn = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const location = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: settings.redirectUri,
        scope: "openid profile email",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: "S256",
        ...(again ? { prompt: "login" } : {}),
      });
      return { location, pending };
    },

    async finish(query, pending) {
      const config = await provider();
      const callback = new URL(settings.redirectUri);
      callback.search = query.toString();
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      const idTokenText = tokens.id_token;
      if (!idToken || idTokenText === undefined) throw new Error("The answer holds no ID token.");
      const userinfo = await oidc.fetchUserInfo(config, tokens.access_token, idToken.sub).then(
        (claims) => ({ claims }),
        (error: unknown) => ({ error }),
      );
      // The other tokens are discarded here: they are no longer needed, and discarded tokens cannot leak.
      return { idToken, idTokenText, userinfo, scope: tokens.scope ?? "" };
    },

    signOutAddress: async ({ idTokenText }) =>
      oidc.buildEndSessionUrl(await provider(), {
        id_token_hint: idTokenText,
        post_logout_redirect_uri: `${new URL(settings.sampleUrl).origin}/`,
      }),
  };
}

/**
 * Gatehouse may start after us, so its discovery document is read when first needed; a failure is not cached, so the
 * next click retries.
 */
function discoverAtFirstUse({ issuer, clientId, clientSecret }: Settings): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | undefined;
  return () => {
    found ??= oidc
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: 5,
        execute: [
          // The library trusts an ID token received directly over TLS. Here its signature is always checked with the
          // published keys.
          oidc.enableNonRepudiationChecks,
          ...(isPlainHttpOnThisMachine(issuer) ? [oidc.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  };
}

/**
 * openid-client refuses an issuer that is not https, and rightly so: codes, secrets and tokens would travel in the
 * open. That is harmless only on this machine; for any other http address the check remains.
 */
function isPlainHttpOnThisMachine(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
