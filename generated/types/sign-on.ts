// Made by `make generate`. Do not edit.

export interface paths {
    "/auth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a browser here to sign a person in
         * @description Redirect the person's browser to this address. It comes back to your redirect URI with `code`, which you
         *     exchange at `/auth/token`, or with `error`. In between, Gatehouse validates the request, then redirects the
         *     browser to the login page, the consent page or back to the application. Unknown parameters are ignored, repeated
         *     ones are `invalid_request`. Errors are reported to the redirect URI only when application and redirect URI are
         *     proven; otherwise a page is shown. The same holds for faults of this server: `server_error`, or
         *     `temporarily_unavailable` when a retry may help. `error_description` names
         *     what is wrong and ends with the request id, which operators look up; `error_uri` is a page about the error.
         */
        get: operations["authorize"];
        put?: never;
        /**
         * Sign a person in, by a form that the browser posts
         * @description The same request with its parameters in a form body (OIDC Core §3.1.2.1). A browser sends no cookie with another
         *     site's form, so the request is stored and the browser redirected to a GET, which carries the cookie. A parameter in
         *     the address is refused: `invalid_request`.
         */
        post: operations["authorizeByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query: {
                /**
                 * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the login page
         * @description Gatehouse redirects browsers here when a person must sign in; an application sends them to `/auth/authorize`.
         *     Asks for e-mail and password. If the person has signed in meanwhile (another tab), continues at once, unless
         *     `account` is `other`. A permanent fault ends the sign-in with `server_error` at the redirect URI.
         */
        get: operations["showLogin"];
        put?: never;
        /**
         * Sign in
         * @description Unknown person, wrong password and disabled person get the same answer: the page again with one sentence, status 400. After too many failures it is 429 for a while, for known and unknown addresses. The page then says whom to ask, and shows `x-request-id` as the reference.
         */
        post: operations["submitLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/consent": {
        parameters: {
            query: {
                /**
                 * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the consent page
         * @description Asks the person to approve what the application will see. A link leads to the login page, for another account.
         */
        get: operations["showConsent"];
        put?: never;
        /**
         * Approve or refuse
         * @description Redirects to the application with a code, with access_denied, or with server_error after a permanent fault.
         */
        post: operations["submitConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a browser here to sign a person out
         * @description Redirect the person's browser to this address when the person signs out of your application. OpenID Connect
         *     RP-Initiated Logout 1.0. The browser's cookie determines which session ends. An `id_token_hint` that belongs to
         *     that session, expired or not, ends it at once; without one the person is asked first. Afterwards the browser
         *     goes to `post_logout_redirect_uri`, when it is one of those registered for the application, byte for byte, with
         *     `state` as it was sent; otherwise to a page that says that the person is signed out. A wrong request gets a
         *     page, never a redirect, and ends no session. Unknown parameters are ignored, repeated ones refused.
         */
        get: operations["logout"];
        put?: never;
        /**
         * Sign a person out, by a form that the browser posts
         * @description The same by POST, which keeps the parameters out of addresses. A browser sends no cookie with another site's form,
         *     so the request is stored and the browser redirected to a page of ours, where the cookie identifies the session.
         */
        post: operations["submitLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: {
                /**
                 * @description Id of a request for sign-out that waits for an answer; without it the page asks on its own behalf.
                 * @example Vb6nQ2xT9bW4mL7cN1sRfG
                 */
                logout?: components["parameters"]["Logout"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the sign-out question
         * @description Asks whether the person wants to sign out. Without a session, or if no question is needed any more, continues at once.
         */
        get: operations["showSignOut"];
        put?: never;
        /**
         * Sign out
         * @description Ends the session of this browser with everything issued from it without `offline_access`, and continues.
         */
        post: operations["submitSignOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/signed-out": {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show that the person is signed out
         * @description If a session exists after all, redirects to the sign-out question. Links to the application that asked, if its address is clear, and to the account.
         */
        get: operations["showSignedOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/set-password": {
        parameters: {
            query: {
                /**
                 * @description The token of a password link. Accepted in the address only.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG4tGJ9sWmQ2xZbL7NcR5Kd
                 */
                token: components["parameters"]["PasswordLinkToken"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the page of a password link
         * @description The page of a link by which an invited person sets a first password, or a person who has forgotten it a new one.
         *     Opening the page does not use up the link. A link that is unknown, expired, used or withdrawn gets a page that says
         *     which, and how to get another.
         */
        get: operations["showSetPassword"];
        put?: never;
        /**
         * Set a password
         * @description Uses up the link and sets the password, which ends all sessions and tokens of the old one. It does not sign the
         *     person in, and signs another person out of this browser. A refused password gets the page again with the rule that
         *     it breaks, status 400, and the link remains valid.
         */
        post: operations["submitSetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account": {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a person's account
         * @description A page for people: link to it from your application if you like. The person's sessions, the applications with
         *     access and what each may see, and the latest sign-ins. Without a session, the person must first sign in, without
         *     an application.
         */
        get: operations["showAccount"];
        put?: never;
        /**
         * Change something of the account
         * @description Ends one session with everything issued from it without `offline_access`; withdraws an application's access on an
         *     instance, which ends its tokens; or signs out everywhere, which ends every session and every token. The answer is
         *     the same for something that had ended before.
         */
        post: operations["submitAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/sign-in": {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
                /**
                 * @description The page of the account that the sign-in leads to; without it, the account itself. The page that changes the password
                 *     sends people here with `password`, and the form keeps it.
                 * @example password
                 */
                next?: components["parameters"]["AccountSignInNext"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the sign-in to the account
         * @description Asks for e-mail and password, without an application. With a session, redirects at once to the page that it would
         *     lead to, unless `account` is `other`.
         */
        get: operations["showAccountSignIn"];
        put?: never;
        /**
         * Sign in to the account
         * @description The rules of every sign-in apply. A refused attempt gets the page again with status 400, or 429 after too many.
         */
        post: operations["submitAccountSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/password": {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the page to change the password
         * @description A signed-in person changes the password here. Without a session, the person must first sign in.
         */
        get: operations["showPasswordChange"];
        put?: never;
        /**
         * Change the password
         * @description Takes the old password and the new one. Every other session, every code and every token of the person ends; this
         *     session continues with a new secret. A password that is refused gets the page again with the reason, status 400;
         *     after too many wrong ones 429.
         */
        post: operations["submitPasswordChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code or a refresh token for tokens
         * @description Call this from your back end when the browser has come back with `code`, and later with the refresh token to get
         *     the next tokens. JSON and form bodies are equivalent. A repeated parameter is refused. The application
         *     authenticates with `client_secret` in the body or by HTTP Basic, never both; public applications send neither.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who signed in
         * @description Send the access token; the answer has the claims about the person that the granted scopes allow, for the instance
         *     that the person signed in to. Whatever the scopes, `workerProfileId`, `userIds`, `workerIds` and, if there is one,
         *     `lastLoginContext` are included.
         */
        get: operations["getUserinfo"];
        put?: never;
        /**
         * Read who signed in, by POST
         * @description Like GET (OIDC Core §5.3.1). Send the access token in the header or in a form body (RFC 6750 §2.2), never in both
         *     and never in the address.
         */
        post: operations["postUserinfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token
         * @description Call this when your application no longer needs a token, for example when a person disconnects it. Ends a
         *     refresh token with everything of its family, access tokens included, or an access token by itself. For a token
         *     that is unknown, has ended, or belongs to another application the answer is 200, without effect (RFC 7009 §2.2).
         *     The application authenticates as at `/auth/token`; public applications send their `client_id`.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether a token is valid
         * @description Shows a confidential application whether a token issued to it is valid now (RFC 7662). Revocation, the end of the
         *     token's family and the person's loss of membership take effect at once. For any other token the answer is only
         *     `active: false`.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the discovery document
         * @description Give your OpenID Connect library the issuer; the library reads this document for itself. The capabilities of
         *     this server, as OpenID Connect Discovery 1.0 §3 defines them. Lists only what works.
         */
        get: operations["getOpenidConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the discovery document under its OAuth name
         * @description The same document as `/.well-known/openid-configuration`, where clients of OAuth 2.0 look for it (RFC 8414 §3).
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public keys
         * @description The keys that verify our ID tokens and access tokens (RFC 7517). A new key is published before it signs, for longer
         *     than `Cache-Control` lets you cache the document, and until its last token has expired. So a copy within its cache
         *     time has the key of every token. When a token names an unknown key, read the document again, once: leaked keys are
         *     replaced without notice.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the page that changes a password
         * @description Password managers send people here, for example when a password has leaked (W3C, A Well-Known URL for Changing
         *     Passwords). It redirects to the page of the account that changes the password; a person who is not signed in signs
         *     in first.
         */
        get: operations["findPasswordChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AuthorizeForm
         * @description An authorization request as a form; the parameters are those of the request by GET.
         */
        AuthorizeForm: {
            /** @description Must be `code`. */
            response_type: string;
            /** @description The application's id. */
            client_id: string;
            /** @description One of the application's registered redirect URIs, compared byte for byte. */
            redirect_uri: string;
            /** @description Space-separated scopes. */
            scope: string;
            /** @description Opaque; returned unchanged. */
            state?: string;
            /** @description Opaque; repeated in the ID token. */
            nonce?: string;
            /** @description base64url of the SHA-256 of the code verifier (RFC 7636). */
            code_challenge?: string;
            /** @description Must be `S256` when a challenge is sent. */
            code_challenge_method?: string;
            /** @description Which pages must or must not be shown. */
            prompt?: string;
            /** @description Greatest age of the sign-in, in seconds; at most 15 digits. */
            max_age?: string;
            /** @description E-mail address to fill in on the login page. */
            login_hint?: string;
            /** @description An ID token of ours that names who may sign in. */
            id_token_hint?: string;
            /** @description Preferred authentication contexts. */
            acr_values?: string;
            /** @description Single requested claims, as JSON (OIDC Core §5.5). */
            claims?: string;
            /** @description `query` or `form_post`. */
            response_mode?: string;
            /** @description Accepted without effect. */
            display?: string;
            /** @description Preferred languages of the pages. */
            ui_locales?: string;
            /** @description Accepted without effect. */
            claims_locales?: string;
        };
        /**
         * OAuthError
         * @description An error of an OAuth endpoint (RFC 6749 §5.2).
         */
        OAuthError: {
            /** @description The registered error code. */
            error: string;
            /** @description A sentence for the developer of the application. It ends with the request id, which operators look up. */
            error_description: string;
            /**
             * Format: uri
             * @description The page about the error code, for the developer; the same for every request.
             */
            error_uri?: string;
        };
        /**
         * LoginForm
         * @description The fields of the login page.
         */
        LoginForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
            /** @description E-mail address. A text that is too long for an address is answered like an unknown address. */
            email: string;
            /** @description Password. A text that is too long for a password is answered like a wrong password. */
            password: string;
        };
        /**
         * ConsentForm
         * @description The fields of the consent page.
         */
        ConsentForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
            /**
             * @description The button that was pressed.
             * @enum {string}
             */
            decision: "approve" | "deny";
        };
        /**
         * LogoutForm
         * @description The parameters of a request for sign-out.
         */
        LogoutForm: {
            /** @description An ID token that this server issued to the application, expired or not. */
            id_token_hint?: string;
            /** @description The application's id. */
            client_id?: string;
            /** @description Where to send the browser afterwards. */
            post_logout_redirect_uri?: string;
            /** @description Opaque; returned unchanged. */
            state?: string;
            /** @description The person that the application means; has no effect. */
            logout_hint?: string;
            /** @description Languages that the person prefers. */
            ui_locales?: string;
        };
        /**
         * SignOutForm
         * @description The field of the sign-out question.
         */
        SignOutForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
        };
        /**
         * SetPasswordForm
         * @description The fields of the page that a password link leads to.
         */
        SetPasswordForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
            /** @description The new password, 15 to 1024 characters of any kind. A longer one gets a reason of its own. */
            password: string;
            /** @description The new password repeated. */
            password_again: string;
        };
        /**
         * AccountForm
         * @description The fields of a form of the account page.
         */
        AccountForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
            /**
             * @description The button that was pressed.
             * @enum {string}
             */
            action: "end_session" | "withdraw" | "sign_out_everywhere";
            /** @description The session to end. */
            session?: string;
            /** @description The application whose access is withdrawn. */
            application?: string;
            /** @description The instance of that access. */
            instance?: string;
        };
        /**
         * PasswordChangeForm
         * @description The fields of the page on which a signed-in person changes the password.
         */
        PasswordChangeForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
            /** @description The current password. A text that is too long for a password is answered like a wrong password. */
            old_password: string;
            /** @description The new password, 15 to 1024 characters of any kind. A longer one gets a reason of its own. */
            password: string;
            /** @description The new password repeated. */
            password_again: string;
        };
        /**
         * AuthorizationCodeGrant
         * @description Redeems an authorization code (RFC 6749 §4.1.3).
         */
        AuthorizationCodeGrant: {
            /**
             * @description The grant type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            grant_type: "authorization_code";
            /** @description The authorization code. */
            code: string;
            /** @description Identical to the one in the authorization request. */
            redirect_uri: string;
            /** @description The application's id; optional with HTTP Basic. */
            client_id?: string;
            /** @description The secret of a confidential application, unless HTTP Basic is used. */
            client_secret?: string;
            /**
             * @description 43 to 128 characters of `A-Z a-z 0-9 - . _ ~`; required when a challenge was sent (RFC 7636). A malformed verifier
             *     is `invalid_request`; a missing or wrong one is `invalid_grant`.
             */
            code_verifier?: string;
        } & {
            [key: string]: string;
        };
        /**
         * RefreshTokenGrant
         * @description Uses a refresh token (RFC 6749 §6). The answer has a new one that replaces it.
         */
        RefreshTokenGrant: {
            /**
             * @description The grant type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            grant_type: "refresh_token";
            /** @description The newest refresh token. */
            refresh_token: string;
            /** @description Fewer scopes than were granted; never more. */
            scope?: string;
            /** @description The application's id; optional with HTTP Basic. */
            client_id?: string;
            /** @description The secret of a confidential application, unless HTTP Basic is used. */
            client_secret?: string;
        } & {
            [key: string]: string;
        };
        /**
         * TokenRequest
         * @description One of the two grants. Unknown parameters are ignored (RFC 6749 §3.2).
         */
        TokenRequest: components["schemas"]["AuthorizationCodeGrant"] | components["schemas"]["RefreshTokenGrant"];
        /**
         * TokenResponse
         * @description Tokens (RFC 6749 §5.1, OIDC Core §3.1.3.3).
         */
        TokenResponse: {
            /** @description A JWT for the userinfo endpoint (RFC 9068). */
            access_token: string;
            /**
             * @description How the access token is used.
             * @constant
             */
            token_type: "Bearer";
            /** @description Lifetime of the access token in seconds. */
            expires_in: number;
            /** @description Replaces the one used, if any. */
            refresh_token: string;
            /** @description Only when `openid` was granted, and never on refresh. */
            id_token?: string;
            /** @description Granted scopes, space-separated. */
            scope: string;
        };
        /**
         * UserSeat
         * @description A user and the client it belongs to.
         */
        UserSeat: {
            /** @description The user. */
            id: string;
            /** @description The client. */
            clientId: string;
        };
        /**
         * WorkerSeat
         * @description A worker and the client it belongs to.
         */
        WorkerSeat: {
            /** @description The worker. */
            id: string;
            /** @description The client. */
            clientId: string;
        };
        /**
         * LastLoginContext
         * @description The seat last used on this instance, or the oldest usable one.
         */
        LastLoginContext: {
            /**
             * @description Kind of seat.
             * @enum {string}
             */
            userType: "WORKER" | "USER";
            /** @description The client of the seat. */
            clientId: string;
        };
        /**
         * Userinfo
         * @description Claims about the signed-in person (OIDC Core §5.3.2). A claim without a value is omitted.
         */
        Userinfo: {
            /** @description The person, the same for every application. */
            sub: string;
            /** @description The application's id. */
            aud: string;
            /**
             * @deprecated
             * @description Equal to `aud`; the spelling of an early sample.
             */
            aub: string;
            /** @description Full name. Scope `profile`. */
            name?: string;
            /** @description First name. Scope `profile`. */
            firstName?: string;
            /** @description Last name. Scope `profile`. */
            lastName?: string;
            /** @description Equal to `firstName`, under OpenID Connect's name. */
            given_name?: string;
            /** @description Equal to `lastName`, under OpenID Connect's name. */
            family_name?: string;
            /** @description E-mail address. Scope `email`. */
            email?: string;
            /** @description Whether the address is verified. Scope `email`. */
            email_verified?: boolean;
            /** @description The person's worker profile. */
            workerProfileId: string;
            /** @description The person's active users on this instance. */
            userIds: components["schemas"]["UserSeat"][];
            /** @description The person's workers on this instance whose employment has not ended. */
            workerIds: components["schemas"]["WorkerSeat"][];
            lastLoginContext?: components["schemas"]["LastLoginContext"];
        };
        /**
         * UserinfoForm
         * @description The access token, if it is not sent in the header (RFC 6750 §2.2).
         */
        UserinfoForm: {
            /** @description An access token issued by `/auth/token`. */
            access_token?: string;
        } & {
            [key: string]: string;
        };
        /**
         * TokenReference
         * @description A token of the application (RFC 7009 §2.1, RFC 7662 §2.1). Unknown parameters are ignored.
         */
        TokenReference: {
            /** @description The access token or refresh token. */
            token: string;
            /** @description `access_token` or `refresh_token`. Only a hint: a token of the other kind is found too, and an unknown word is ignored. */
            token_type_hint?: string;
            /** @description The application's id; optional with HTTP Basic. */
            client_id?: string;
            /** @description The secret of a confidential application, unless HTTP Basic is used. */
            client_secret?: string;
        } & {
            [key: string]: string;
        };
        /**
         * TokenStatus
         * @description The present status of a token (RFC 7662 §2.2). If `active` is false, no other member is present.
         */
        TokenStatus: {
            /** @description Whether the token may be used now, and was issued to the application that asks. */
            active: boolean;
            /** @description Its scopes, space-separated. */
            scope?: string;
            /** @description The application that it was issued to. */
            client_id?: string;
            /**
             * @description For access tokens only (RFC 6749 §7.1).
             * @constant
             */
            token_type?: "Bearer";
            /** @description The person. */
            sub?: string;
            /** @description For access tokens only; the issuer. */
            aud?: string;
            /** @description The issuer. */
            iss?: string;
            /** @description When it was issued, in seconds since 1970. */
            iat?: number;
            /** @description When it expires unless it is used or revoked before, in seconds since 1970. */
            exp?: number;
            /** @description For access tokens only; its id. */
            jti?: string;
        };
        /**
         * OpenidConfiguration
         * @description OpenID Provider metadata (OpenID Connect Discovery 1.0 §3, RFC 8414, RFC 9207).
         */
        OpenidConfiguration: {
            /**
             * Format: uri
             * @description The issuer.
             */
            issuer: string;
            /**
             * Format: uri
             * @description Where browsers are sent.
             */
            authorization_endpoint: string;
            /**
             * Format: uri
             * @description Where codes become tokens.
             */
            token_endpoint: string;
            /**
             * Format: uri
             * @description Where claims are read.
             */
            userinfo_endpoint: string;
            /**
             * Format: uri
             * @description Where tokens are revoked.
             */
            revocation_endpoint: string;
            /**
             * Format: uri
             * @description Where applications check tokens.
             */
            introspection_endpoint: string;
            /**
             * Format: uri
             * @description The public keys.
             */
            jwks_uri: string;
            /**
             * Format: uri
             * @description Where browsers are sent to sign out (RP-Initiated Logout 1.0 §2.1).
             */
            end_session_endpoint: string;
            /** @description Scopes. */
            scopes_supported: string[];
            /** @description Response types. */
            response_types_supported: string[];
            /** @description Response modes. */
            response_modes_supported: string[];
            /** @description Grant types. */
            grant_types_supported: string[];
            /** @description Kinds of subject. */
            subject_types_supported: string[];
            /** @description Algorithms of ID tokens. */
            id_token_signing_alg_values_supported: string[];
            /** @description Ways an application authenticates. */
            token_endpoint_auth_methods_supported: string[];
            /** @description Ways an application authenticates to revoke. */
            revocation_endpoint_auth_methods_supported: string[];
            /** @description Ways an application authenticates to introspect. */
            introspection_endpoint_auth_methods_supported: string[];
            /** @description PKCE methods. */
            code_challenge_methods_supported: string[];
            /** @description Authentication contexts. */
            acr_values_supported: string[];
            /** @description Claims that may be present. */
            claims_supported: string[];
            /** @description Kinds of claims. */
            claim_types_supported: string[];
            /** @description Values of prompt. */
            prompt_values_supported: string[];
            /** @description Languages of the pages. */
            ui_locales_supported: string[];
            /** @description Whether the claims parameter is read. */
            claims_parameter_supported: boolean;
            /** @description Whether request objects are read. */
            request_parameter_supported: boolean;
            /** @description Whether request objects by reference are read. */
            request_uri_parameter_supported: boolean;
            /** @description Whether authorization responses carry iss. */
            authorization_response_iss_parameter_supported: boolean;
        };
        /**
         * PublicKey
         * @description A public signature key (RFC 7517 §4).
         */
        PublicKey: {
            /**
             * @description Key type.
             * @enum {string}
             */
            kty: "RSA" | "EC";
            /** @description Key id, the `kid` of the tokens it verifies. */
            kid: string;
            /**
             * @description Signatures only.
             * @constant
             */
            use: "sig";
            /**
             * @description Algorithm.
             * @enum {string}
             */
            alg: "RS256" | "ES256";
            /** @description RSA modulus. */
            n?: string;
            /** @description RSA exponent. */
            e?: string;
            /** @description Curve. */
            crv?: string;
            /** @description First coordinate. */
            x?: string;
            /** @description Second coordinate. */
            y?: string;
        };
        /**
         * Jwks
         * @description A JWK Set of public keys (RFC 7517 §5).
         */
        Jwks: {
            /** @description The keys. */
            keys: components["schemas"]["PublicKey"][];
        };
        /**
         * InvalidPart
         * @description One part of a request that was refused.
         */
        InvalidPart: {
            /** @description Location of the part in the request. */
            in: string;
            /** @description Name of the parameter, or JSON pointer into the body (RFC 6901); `/` is the body as a whole. */
            name: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /**
         * Problem
         * @description A problem (RFC 9457), with a code for programs and a request id for support.
         */
        Problem: {
            /**
             * Format: uri
             * @description Address of a page with cause and fix.
             */
            type: string;
            /** @description The kind of problem, the same for every occurrence. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description A sentence about this occurrence. */
            detail: string;
            /** @description The kind of problem, as a stable word for programs. New codes may be added. */
            code: string;
            /** @description Equal to `detail`. */
            message: string;
            /** @description Equal to the `x-request-id` header of the response. */
            requestId: string;
            /** @description On 400, each part of the request that was refused. */
            errors?: components["schemas"]["InvalidPart"][];
            /** @description On 410 of a feed, the cursor at which the kept part begins. */
            keptFrom?: string;
        };
    };
    responses: {
        Unrouted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        Unread: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The answer to OPTIONS where pages of other origins may call (`x-cors`): the list of methods and, for a preflight
         *     (Fetch §4.8), the headers that a page may send. `applications`: pages of all registered origins may send requests, and
         *     each answer can be read only by pages of the application that it concerns. `everyone`: all pages. Elsewhere, the
         *     authorization endpoint included, OPTIONS is refused like any unsupported method.
         */
        Preflight: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                Allow: components["headers"]["Allow"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The methods of the address, without OPTIONS.
                 * @example POST
                 */
                "Access-Control-Allow-Methods"?: string;
                /**
                 * @description The headers that a page may set.
                 * @example authorization, content-type, if-none-match, traceparent
                 */
                "Access-Control-Allow-Headers"?: "authorization, content-type, if-none-match, traceparent";
                /**
                 * @description How long a browser may cache the answer, in seconds.
                 * @example 600
                 */
                "Access-Control-Max-Age"?: number;
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The answer to the application as a page with a form that posts itself to the redirect URI (OAuth 2.0 Form Post
         *     Response Mode): `code` or `error`, `state` as it was sent, and `iss`. Without script the person presses its button.
         */
        FormPostPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["FormPostContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /**
         * @description The next step: a page of ours, or the application's redirect URI with `code` or `error`, `state` as it was sent, and `iss`
         *     (RFC 9207).
         */
        RedirectToNextStep: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Location: components["headers"]["Location"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A page that says what is wrong and whom to ask, with `x-request-id` as the reference. Never a redirect. */
        PageError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description A page that asks the person to try again in a moment. */
        PageUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The body is larger than 64 KiB; refused without a look at its content. */
        OAuthPayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is not a form, or has a content coding; none is decoded. */
        OAuthUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
                 * @example identity
                 */
                "Accept-Encoding"?: "identity";
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The page. */
        Page: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The page again: too many attempts failed, so this one was not checked. The same for unknown addresses. */
        PageTooManyAttempts: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The next step: a page of ours, or the application's `post_logout_redirect_uri` with `state` as it was sent. */
        RedirectAfterLogout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Location: components["headers"]["Location"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The page. */
        LinkPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Referrer-Policy": components["headers"]["NoReferrer"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description A page that says what is wrong, with a reference for support. Never a redirect. */
        LinkPageError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Referrer-Policy": components["headers"]["NoReferrer"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description A page that asks the person to try again in a moment. */
        LinkPageUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Referrer-Policy": components["headers"]["NoReferrer"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description Another page of the account, or the page that says that the person is signed out. */
        RedirectWithinAccount: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Location: components["headers"]["Location"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request was refused. */
        TokenError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Vary: components["headers"]["VaryOrigin"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The application's authentication by the Authorization header failed (RFC 6749 §5.2). */
        BasicAuthenticationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Vary: components["headers"]["VaryOrigin"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                "WWW-Authenticate": components["headers"]["BasicChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body has a content coding; none is decoded. */
        OAuthUnsupportedCoding: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
                 * @example identity
                 */
                "Accept-Encoding"?: "identity";
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Our fault; the request id finds the cause in our logs. */
        OAuthServerError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The service cannot answer at the moment. */
        OAuthUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /**
         * @description The request has an access token in both header and body, two Authorization headers, an unreadable address or body, or
         *     by GET a body (RFC 6750 §3.1).
         */
        MalformedUserinfoRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Vary: components["headers"]["VaryOrigin"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                "WWW-Authenticate": components["headers"]["BearerChallengeMalformed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The access token is missing, malformed, expired or revoked. */
        InvalidToken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Vary: components["headers"]["VaryOrigin"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The access token lacks the scope openid. */
        InsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Vary: components["headers"]["VaryOrigin"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request was refused; nothing was revoked. */
        RevocationError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                Vary: components["headers"]["VaryOrigin"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request was refused. */
        IntrospectionError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The application did not authenticate by header or body, or has no secret (RFC 7662 §2.3). */
        IntrospectionUnauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
                 * @example Origin
                 */
                Vary?: "Origin";
                "Cache-Control": components["headers"]["NoStore"];
                "WWW-Authenticate": components["headers"]["BasicChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request has an unreadable query, or a body, which this address does not accept. */
        MalformedDiscoveryRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The answer would have none of the entity tags in `If-Match`. */
        OAuthPreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                /**
                 * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                 *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                 * @example https://app.example
                 */
                "Access-Control-Allow-Origin"?: string;
                /**
                 * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                 * @example x-request-id, www-authenticate, retry-after
                 */
                "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /**
         * @description A request below `/auth` or `/.well-known` that matches no operation, or that is refused before one is chosen: ambiguous or malformed
         *     request (400), unknown path (404), method not offered (405), request that does not arrive in time (408), body too large (413), content
         *     coding not offered (415), headers too large (431), fault of ours (500). An unknown path, and one with malformed percent-encoding, is a
         *     page for GET and HEAD if `Accept` prefers `text/html`. Elsewhere `error_description` names the path without the slash at its end, if it exists without it; of a malformed
         *     request it says what is wrong.
         */
        OAuthUnrouted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["RefusedNoStore"];
                /**
                 * @description If the answer is a page, its language: the one that `ui_locales` asks for, else `Accept-Language`, else English.
                 * @example de
                 */
                "Content-Language"?: string;
                /**
                 * @description If the answer is a page. It loads only our own stylesheet and icon, and cannot be framed.
                 * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
                 */
                "Content-Security-Policy"?: string;
                /**
                 * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5): `accept` on 404 to GET and HEAD; elsewhere `Origin`, where pages of
                 *     other origins may call.
                 * @example accept
                 */
                Vary?: "accept" | "Origin";
                /**
                 * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
                 * @example identity
                 */
                "Accept-Encoding"?: "identity";
                /**
                 * @description On 405, the methods that the address answers (RFC 9110 §10.2.1).
                 * @example GET, HEAD, OPTIONS
                 */
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
                "text/html": string;
            };
        };
        /**
         * @description A request that cannot be read as HTTP (400), does not arrive in time (408) or has headers that are too large (431). It
         *     is refused before its path is known, and therefore with a problem (RFC 9457).
         */
        OAuthUnread: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["RefusedNoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Must be `code`.
         * @example code
         */
        response_type: "code";
        /**
         * @description The application's id.
         * @example app_5RtGv2KmWz8QbL4XcN9Ys
         */
        client_id: string;
        /**
         * @description One of the application's registered redirect URIs, compared byte for byte.
         * @example https://payroll.example/callback
         */
        redirect_uri: string;
        /**
         * @description Space-separated scopes: `openid`, `profile`, `email`, `offline_access`.
         * @example openid profile email
         */
        scope: string;
        /**
         * @description Opaque; returned unchanged.
         * @example af0ifjsldkj
         */
        state: string;
        /**
         * @description Opaque; repeated in the ID token.
         * @example n-0S6_WzA2Mj
         */
        nonce: string;
        /**
         * @description base64url of the SHA-256 of the code verifier (RFC 7636). Required for public applications.
         * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
         */
        code_challenge: string;
        /**
         * @description Must be `S256` when a challenge is sent.
         * @example S256
         */
        code_challenge_method: "S256";
        /**
         * @description `none` never shows a page; `login` asks for the password again, `select_account` too; `consent` asks for approval again (OIDC Core §3.1.2.1).
         * @example login
         */
        prompt: string;
        /**
         * @description Greatest age of the sign-in, in seconds (OIDC Core §3.1.2.1); at most 15 digits.
         * @example 3600
         */
        max_age: string;
        /**
         * @description E-mail address to fill in on the login page.
         * @example maren.dahl@harbour-bakery.example
         */
        login_hint: string;
        /**
         * @description An ID token of ours, expired or not. Only the person it names may sign in. Send a long one by POST, in a body of at most 64 KiB.
         * @example eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJwZXJzb24ifQ.c2lnbmF0dXJl
         */
        id_token_hint: string;
        /**
         * @description Preferred authentication contexts. The ID token's `acr` names the one that was used.
         * @example urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport
         */
        acr_values: string;
        /**
         * @description Single requested claims, as JSON (OIDC Core §5.5). Returned if the application is registered for their scope and the person approves.
         * @example {"userinfo":{"name":{"essential":true}}}
         */
        claims: string;
        /**
         * @description How the answer is returned: `query` (the default), or `form_post`, a form that the browser posts to the redirect URI.
         * @example form_post
         */
        response_mode: "query" | "form_post";
        /**
         * @description Accepted without effect; the pages fit every window.
         * @example page
         */
        display: string;
        /**
         * @description Preferred languages of the pages (BCP 47), the best first, separated by spaces. `de-AT` finds `de`; if none of them leads to one of `ui_locales_supported`, `Accept-Language` decides.
         * @example de en
         */
        ui_locales: string;
        /**
         * @description Accepted without effect; claims have no language.
         * @example de en
         */
        claims_locales: string;
        /**
         * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
         * @example Zk3vQ9xT2bW7mL5cN8sRfG
         */
        Interaction: string;
        /**
         * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
         * @example de en
         */
        PageLocales: string;
        /**
         * @description With `other`, shows the page even to a person who is signed in, to use another account.
         * @example other
         */
        LoginAccount: "other";
        /**
         * @description An ID token that this server issued to the application, expired or not. A token of the current session ends it without a question. Send a long one by POST, in a body of at most 64 KiB.
         * @example eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwZXJzb24ifQ.c2lnbmF0dXJl
         */
        "id_token_hint-2": string;
        /**
         * @description The application's id. With an id_token_hint it must be the one that the token was issued to.
         * @example app_5RtGv2KmWz8QbL4XcN9Ys
         */
        "client_id-2": string;
        /**
         * @description Where to send the browser afterwards; one of those registered for the application, byte for byte. Needs id_token_hint or client_id.
         * @example https://payroll.example/signed-out
         */
        post_logout_redirect_uri: string;
        /**
         * @description Opaque; returned unchanged at post_logout_redirect_uri.
         * @example af0ifjsldkj
         */
        "state-2": string;
        /**
         * @description The person that the application means. Has no effect, since the cookie decides.
         * @example maren.dahl@harbour-bakery.example
         */
        logout_hint: string;
        /**
         * @description Id of a request for sign-out that waits for an answer; without it the page asks on its own behalf.
         * @example Vb6nQ2xT9bW4mL7cN1sRfG
         */
        Logout: string;
        /**
         * @description Id of the application that asked for the sign-out. An unknown one is ignored.
         * @example app_7hJ4kN8qRsVw2XyZbCdFg
         */
        SignedOutOf: string;
        /**
         * @description The token of a password link. Accepted in the address only.
         * @example Zk3vQ9xT2bW7mL5cN8sRfG4tGJ9sWmQ2xZbL7NcR5Kd
         */
        PasswordLinkToken: string;
        /**
         * @description The action that was just done. The page confirms it once, in the browser that did it; in any other case it says
         *     nothing.
         * @example session
         */
        AccountDone: "session" | "access" | "password";
        /**
         * @description The page of the account that the sign-in leads to; without it, the account itself. The page that changes the password
         *     sends people here with `password`, and the form keeps it.
         * @example password
         */
        AccountSignInNext: "password";
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in our logs; quote it when you ask for help.
         * @example req_4tGJ9sWmQ2xZbL7NcR5Kd
         */
        XRequestId: string;
        /**
         * @description The answer must not be cached (RFC 6749 §5.1).
         * @example no-store
         */
        NoStore: "no-store";
        /**
         * @description The language of the page: the one that `ui_locales` asks for, else `Accept-Language`, else English.
         * @example de
         */
        ContentLanguage: string;
        /**
         * @description As for every page, plus the one script that sends the form, allowed by its hash.
         * @example default-src 'none'; style-src 'self'; script-src 'sha256-x'; base-uri 'none'; form-action 'self' https:; frame-ancestors 'none'
         */
        FormPostContentSecurityPolicy: string;
        /**
         * @description Where the user agent goes next.
         * @example https://payroll.example/callback?code=s4Wd9Kx2&state=af0ifjsldkj&iss=http%3A%2F%2Flocalhost%3A8080
         */
        Location: string;
        /**
         * @description The page loads only our own stylesheet, runs no script but the one that is named by its whole address, if any, and cannot be framed.
         * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
         */
        ContentSecurityPolicy: string;
        /**
         * @description Seconds to wait before a retry (RFC 9110 §10.2.3).
         * @example 2
         */
        RetryAfter: string;
        /**
         * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
         * @example Origin
         */
        VaryIfOrigin: "Origin";
        /**
         * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
         * @example identity
         */
        AcceptEncoding: "identity";
        /**
         * @description The page's address contains the token of a link, so later requests must not send it.
         * @example no-referrer
         */
        NoReferrer: "no-referrer";
        /**
         * @description The answer's headers depend on the origin of the page that asks.
         * @example Origin
         */
        VaryOrigin: "Origin";
        /**
         * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
         *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
         * @example https://app.example
         */
        AccessControlAllowOrigin: string;
        /**
         * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
         * @example x-request-id, www-authenticate, retry-after
         */
        ExposedHeaders: "x-request-id, www-authenticate, retry-after";
        /**
         * @description The scheme that failed.
         * @example Basic realm="sign-on", charset="UTF-8"
         */
        BasicChallenge: "Basic realm=\"sign-on\", charset=\"UTF-8\"";
        /**
         * @description The challenge of RFC 6750 §3 for a request that sends its access token in two places, or that cannot be read.
         * @example Bearer realm="userinfo", error="invalid_request", error_description="The access token is sent twice, in the header and in the body. (req_4tGJ9sWmQ2xZbL7NcR5Kd)"
         */
        BearerChallengeMalformed: string;
        /**
         * @description The challenge of RFC 6750 §3; without an error when no token was sent.
         * @example Bearer realm="userinfo", error="invalid_token", error_description="The access token is invalid or has expired. (req_4tGJ9sWmQ2xZbL7NcR5Kd)"
         */
        BearerChallenge: string;
        /**
         * @description How long the document may be cached, in seconds.
         * @example public, max-age=300
         */
        PublicCacheControl: string;
        /**
         * @description Pages of every origin may read the answer, which is public.
         * @example *
         */
        AnyOrigin: "*";
        /**
         * @description Digest of the document (RFC 9110 §8.8.3).
         * @example "5f2b1c"
         */
        ETag: string;
        /**
         * @description The headers that a page of any origin may read (Fetch §3.2.3).
         * @example etag, x-request-id
         */
        ExposedOfKeys: "etag, x-request-id";
        /**
         * @description A refusal is not cached.
         * @example no-store
         */
        RefusedNoStore: "no-store";
        /**
         * @description If the answer is a page, its language: the one that `ui_locales` asks for, else `Accept-Language`, else English.
         * @example de
         */
        PageContentLanguage: string;
        /**
         * @description If the answer is a page. It loads only our own stylesheet and icon, and cannot be framed.
         * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
         */
        PageContentSecurityPolicy: string;
        /**
         * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5): `accept` on 404 to GET and HEAD; elsewhere `Origin`, where pages of
         *     other origins may call.
         * @example accept
         */
        VaryUnrouted: "accept" | "Origin";
        /**
         * @description On 405, the methods that the address answers (RFC 9110 §10.2.1).
         * @example GET, HEAD, OPTIONS
         */
        AllowIfRefused: string;
        /**
         * @description The methods that the address answers (RFC 9110 §10.2.1).
         * @example GET, HEAD, OPTIONS
         */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    authorize: {
        parameters: {
            query: {
                /**
                 * @description Must be `code`.
                 * @example code
                 */
                response_type: components["parameters"]["response_type"];
                /**
                 * @description The application's id.
                 * @example app_5RtGv2KmWz8QbL4XcN9Ys
                 */
                client_id: components["parameters"]["client_id"];
                /**
                 * @description One of the application's registered redirect URIs, compared byte for byte.
                 * @example https://payroll.example/callback
                 */
                redirect_uri: components["parameters"]["redirect_uri"];
                /**
                 * @description Space-separated scopes: `openid`, `profile`, `email`, `offline_access`.
                 * @example openid profile email
                 */
                scope: components["parameters"]["scope"];
                /**
                 * @description Opaque; returned unchanged.
                 * @example af0ifjsldkj
                 */
                state?: components["parameters"]["state"];
                /**
                 * @description Opaque; repeated in the ID token.
                 * @example n-0S6_WzA2Mj
                 */
                nonce?: components["parameters"]["nonce"];
                /**
                 * @description base64url of the SHA-256 of the code verifier (RFC 7636). Required for public applications.
                 * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
                 */
                code_challenge?: components["parameters"]["code_challenge"];
                /**
                 * @description Must be `S256` when a challenge is sent.
                 * @example S256
                 */
                code_challenge_method?: components["parameters"]["code_challenge_method"];
                /**
                 * @description `none` never shows a page; `login` asks for the password again, `select_account` too; `consent` asks for approval again (OIDC Core §3.1.2.1).
                 * @example login
                 */
                prompt?: components["parameters"]["prompt"];
                /**
                 * @description Greatest age of the sign-in, in seconds (OIDC Core §3.1.2.1); at most 15 digits.
                 * @example 3600
                 */
                max_age?: components["parameters"]["max_age"];
                /**
                 * @description E-mail address to fill in on the login page.
                 * @example maren.dahl@harbour-bakery.example
                 */
                login_hint?: components["parameters"]["login_hint"];
                /**
                 * @description An ID token of ours, expired or not. Only the person it names may sign in. Send a long one by POST, in a body of at most 64 KiB.
                 * @example eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJwZXJzb24ifQ.c2lnbmF0dXJl
                 */
                id_token_hint?: components["parameters"]["id_token_hint"];
                /**
                 * @description Preferred authentication contexts. The ID token's `acr` names the one that was used.
                 * @example urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport
                 */
                acr_values?: components["parameters"]["acr_values"];
                /**
                 * @description Single requested claims, as JSON (OIDC Core §5.5). Returned if the application is registered for their scope and the person approves.
                 * @example {"userinfo":{"name":{"essential":true}}}
                 */
                claims?: components["parameters"]["claims"];
                /**
                 * @description How the answer is returned: `query` (the default), or `form_post`, a form that the browser posts to the redirect URI.
                 * @example form_post
                 */
                response_mode?: components["parameters"]["response_mode"];
                /**
                 * @description Accepted without effect; the pages fit every window.
                 * @example page
                 */
                display?: components["parameters"]["display"];
                /**
                 * @description Preferred languages of the pages (BCP 47), the best first, separated by spaces. `de-AT` finds `de`; if none of them leads to one of `ui_locales_supported`, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["ui_locales"];
                /**
                 * @description Accepted without effect; claims have no language.
                 * @example de en
                 */
                claims_locales?: components["parameters"]["claims_locales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FormPostPage"];
            302: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    authorizeByPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AuthorizeForm"];
            };
        };
        responses: {
            200: components["responses"]["FormPostPage"];
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showLogin: {
        parameters: {
            query: {
                /**
                 * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
                /**
                 * @description With `other`, shows the page even to a person who is signed in, to use another account.
                 * @example other
                 */
                account?: components["parameters"]["LoginAccount"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitLogin: {
        parameters: {
            query: {
                /**
                 * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LoginForm"];
            };
        };
        responses: {
            200: components["responses"]["FormPostPage"];
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["PageTooManyAttempts"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showConsent: {
        parameters: {
            query: {
                /**
                 * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitConsent: {
        parameters: {
            query: {
                /**
                 * @description Id of the sign-in that this page belongs to; valid only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["ConsentForm"];
            };
        };
        responses: {
            200: components["responses"]["FormPostPage"];
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    logout: {
        parameters: {
            query?: {
                /**
                 * @description An ID token that this server issued to the application, expired or not. A token of the current session ends it without a question. Send a long one by POST, in a body of at most 64 KiB.
                 * @example eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwZXJzb24ifQ.c2lnbmF0dXJl
                 */
                id_token_hint?: components["parameters"]["id_token_hint-2"];
                /**
                 * @description The application's id. With an id_token_hint it must be the one that the token was issued to.
                 * @example app_5RtGv2KmWz8QbL4XcN9Ys
                 */
                client_id?: components["parameters"]["client_id-2"];
                /**
                 * @description Where to send the browser afterwards; one of those registered for the application, byte for byte. Needs id_token_hint or client_id.
                 * @example https://payroll.example/signed-out
                 */
                post_logout_redirect_uri?: components["parameters"]["post_logout_redirect_uri"];
                /**
                 * @description Opaque; returned unchanged at post_logout_redirect_uri.
                 * @example af0ifjsldkj
                 */
                state?: components["parameters"]["state-2"];
                /**
                 * @description The person that the application means. Has no effect, since the cookie decides.
                 * @example maren.dahl@harbour-bakery.example
                 */
                logout_hint?: components["parameters"]["logout_hint"];
                /**
                 * @description Preferred languages of the pages (BCP 47), the best first, separated by spaces. `de-AT` finds `de`; if none of them leads to one of `ui_locales_supported`, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["ui_locales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["RedirectAfterLogout"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LogoutForm"];
            };
        };
        responses: {
            303: components["responses"]["RedirectAfterLogout"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showSignOut: {
        parameters: {
            query?: {
                /**
                 * @description Id of a request for sign-out that waits for an answer; without it the page asks on its own behalf.
                 * @example Vb6nQ2xT9bW4mL7cN1sRfG
                 */
                logout?: components["parameters"]["Logout"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectAfterLogout"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitSignOut: {
        parameters: {
            query?: {
                /**
                 * @description Id of a request for sign-out that waits for an answer; without it the page asks on its own behalf.
                 * @example Vb6nQ2xT9bW4mL7cN1sRfG
                 */
                logout?: components["parameters"]["Logout"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SignOutForm"];
            };
        };
        responses: {
            303: components["responses"]["RedirectAfterLogout"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showSignedOut: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
                /**
                 * @description Id of the application that asked for the sign-out. An unknown one is ignored.
                 * @example app_7hJ4kN8qRsVw2XyZbCdFg
                 */
                application?: components["parameters"]["SignedOutOf"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectAfterLogout"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showSetPassword: {
        parameters: {
            query: {
                /**
                 * @description The token of a password link. Accepted in the address only.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG4tGJ9sWmQ2xZbL7NcR5Kd
                 */
                token: components["parameters"]["PasswordLinkToken"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LinkPage"];
            400: components["responses"]["LinkPageError"];
            500: components["responses"]["LinkPageError"];
            503: components["responses"]["LinkPageUnavailable"];
        };
    };
    submitSetPassword: {
        parameters: {
            query: {
                /**
                 * @description The token of a password link. Accepted in the address only.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG4tGJ9sWmQ2xZbL7NcR5Kd
                 */
                token: components["parameters"]["PasswordLinkToken"];
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SetPasswordForm"];
            };
        };
        responses: {
            200: components["responses"]["LinkPage"];
            400: components["responses"]["LinkPageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["LinkPageError"];
            503: components["responses"]["LinkPageUnavailable"];
        };
    };
    showAccount: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
                /**
                 * @description The action that was just done. The page confirms it once, in the browser that did it; in any other case it says
                 *     nothing.
                 * @example session
                 */
                done?: components["parameters"]["AccountDone"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitAccount: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AccountForm"];
            };
        };
        responses: {
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showAccountSignIn: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
                /**
                 * @description The page of the account that the sign-in leads to; without it, the account itself. The page that changes the password
                 *     sends people here with `password`, and the form keeps it.
                 * @example password
                 */
                next?: components["parameters"]["AccountSignInNext"];
                /**
                 * @description With `other`, shows the page even to a person who is signed in, to use another account.
                 * @example other
                 */
                account?: components["parameters"]["LoginAccount"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitAccountSignIn: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
                /**
                 * @description The page of the account that the sign-in leads to; without it, the account itself. The page that changes the password
                 *     sends people here with `password`, and the form keeps it.
                 * @example password
                 */
                next?: components["parameters"]["AccountSignInNext"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LoginForm"];
            };
        };
        responses: {
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["PageTooManyAttempts"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showPasswordChange: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Page"];
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    submitPasswordChange: {
        parameters: {
            query?: {
                /**
                 * @description Preferred languages of the page, the best first, separated by spaces. If none of them is available, `Accept-Language` decides.
                 * @example de en
                 */
                ui_locales?: components["parameters"]["PageLocales"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PasswordChangeForm"];
            };
        };
        responses: {
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["PageTooManyAttempts"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    Vary: components["headers"]["VaryOrigin"];
                    /**
                     * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                     *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                     * @example https://app.example
                     */
                    "Access-Control-Allow-Origin"?: string;
                    /**
                     * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                     * @example x-request-id, www-authenticate, retry-after
                     */
                    "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["TokenError"];
            401: components["responses"]["BasicAuthenticationFailed"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedCoding"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    getUserinfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The claims. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    Vary: components["headers"]["VaryOrigin"];
                    /**
                     * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                     *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                     * @example https://app.example
                     */
                    "Access-Control-Allow-Origin"?: string;
                    /**
                     * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                     * @example x-request-id, www-authenticate, retry-after
                     */
                    "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Userinfo"];
                };
            };
            400: components["responses"]["MalformedUserinfoRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    postUserinfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UserinfoForm"];
            };
        };
        responses: {
            /** @description The claims. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    Vary: components["headers"]["VaryOrigin"];
                    /**
                     * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                     *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                     * @example https://app.example
                     */
                    "Access-Control-Allow-Origin"?: string;
                    /**
                     * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                     * @example x-request-id, www-authenticate, retry-after
                     */
                    "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Userinfo"];
                };
            };
            400: components["responses"]["MalformedUserinfoRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedCoding"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenReference"];
                "application/x-www-form-urlencoded": components["schemas"]["TokenReference"];
            };
        };
        responses: {
            /** @description The token is invalid now. There is no body. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    Vary: components["headers"]["VaryOrigin"];
                    /**
                     * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
                     *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
                     * @example https://app.example
                     */
                    "Access-Control-Allow-Origin"?: string;
                    /**
                     * @description The headers that a page of the allowed origin may read (Fetch §3.2.3).
                     * @example x-request-id, www-authenticate, retry-after
                     */
                    "Access-Control-Expose-Headers"?: "x-request-id, www-authenticate, retry-after";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["RevocationError"];
            401: components["responses"]["BasicAuthenticationFailed"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedCoding"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenReference"];
                "application/x-www-form-urlencoded": components["schemas"]["TokenReference"];
            };
        };
        responses: {
            /** @description The token's status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenStatus"];
                };
            };
            400: components["responses"]["IntrospectionError"];
            401: components["responses"]["IntrospectionUnauthenticated"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedCoding"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    getOpenidConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenidConfiguration"];
                };
            };
            400: components["responses"]["MalformedDiscoveryRequest"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenidConfiguration"];
                };
            };
            400: components["responses"]["MalformedDiscoveryRequest"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy (RFC 9110 §13.1.2).
                 * @example "5f2b1c"
                 */
                "If-None-Match"?: string;
                /**
                 * @description The ETag of your copy, or `*` for any; 412 if the document has another one now (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedOfKeys"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            /** @description Your copy is current, and may be cached again for that time. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedOfKeys"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedDiscoveryRequest"];
            412: components["responses"]["OAuthPreconditionFailed"];
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    findPasswordChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["RedirectWithinAccount"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
        };
    };
}
