/**
 * The authentication context of every sign-in: a password over a protected connection (SAML 2.0 Authentication Context
 * §3.4; OIDC Core §2 `acr`).
 */
export const AUTHENTICATION_CONTEXT = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport";
