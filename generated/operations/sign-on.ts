// Made by `make generate`. Do not edit.

/** Method and path template of each operation of sign-on.yaml. */
export const operations = {
  "authorize": {
    "method": "GET",
    "path": "/auth/authorize"
  },
  "authorizeByPost": {
    "method": "POST",
    "path": "/auth/authorize"
  },
  "showLogin": {
    "method": "GET",
    "path": "/auth/login"
  },
  "submitLogin": {
    "method": "POST",
    "path": "/auth/login"
  },
  "showConsent": {
    "method": "GET",
    "path": "/auth/consent"
  },
  "submitConsent": {
    "method": "POST",
    "path": "/auth/consent"
  },
  "logout": {
    "method": "GET",
    "path": "/auth/logout"
  },
  "submitLogout": {
    "method": "POST",
    "path": "/auth/logout"
  },
  "showSignOut": {
    "method": "GET",
    "path": "/auth/sign-out"
  },
  "submitSignOut": {
    "method": "POST",
    "path": "/auth/sign-out"
  },
  "showSignedOut": {
    "method": "GET",
    "path": "/auth/signed-out"
  },
  "showSetPassword": {
    "method": "GET",
    "path": "/auth/set-password"
  },
  "submitSetPassword": {
    "method": "POST",
    "path": "/auth/set-password"
  },
  "showAccount": {
    "method": "GET",
    "path": "/auth/account"
  },
  "submitAccount": {
    "method": "POST",
    "path": "/auth/account"
  },
  "showAccountSignIn": {
    "method": "GET",
    "path": "/auth/account/sign-in"
  },
  "submitAccountSignIn": {
    "method": "POST",
    "path": "/auth/account/sign-in"
  },
  "showPasswordChange": {
    "method": "GET",
    "path": "/auth/account/password"
  },
  "submitPasswordChange": {
    "method": "POST",
    "path": "/auth/account/password"
  },
  "exchangeToken": {
    "method": "POST",
    "path": "/auth/token"
  },
  "getUserinfo": {
    "method": "GET",
    "path": "/auth/userinfo"
  },
  "postUserinfo": {
    "method": "POST",
    "path": "/auth/userinfo"
  },
  "revokeToken": {
    "method": "POST",
    "path": "/auth/revoke"
  },
  "introspectToken": {
    "method": "POST",
    "path": "/auth/introspect"
  },
  "getOpenidConfiguration": {
    "method": "GET",
    "path": "/.well-known/openid-configuration"
  },
  "getAuthorizationServerMetadata": {
    "method": "GET",
    "path": "/.well-known/oauth-authorization-server"
  },
  "getJwks": {
    "method": "GET",
    "path": "/.well-known/jwks.json"
  },
  "findPasswordChange": {
    "method": "GET",
    "path": "/.well-known/change-password"
  }
} as const;
