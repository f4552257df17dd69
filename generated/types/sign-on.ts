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
         * Ask for a person to sign in
         * @description Validates the request, then sends the browser to the login page, the consent page or back to the application. Unknown parameters
         *     are ignored, repeated ones are `invalid_request`. Errors are reported to the redirect URI only when application and redirect
         *     URI are proven; otherwise a page is shown.
         */
        get: operations["authorize"];
        put?: never;
        post?: never;
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
                 * @description Names the sign-in that this page belongs to; good only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the login page
         * @description Asks for e-mail and password. When the person is signed in meanwhile (another tab), goes on at once.
         */
        get: operations["showLogin"];
        put?: never;
        /**
         * Sign in
         * @description Unknown person, wrong password and disabled person get one answer: the page again with one sentence, status 400.
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
                 * @description Names the sign-in that this page belongs to; good only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the consent page
         * @description Asks the person to approve what the application will see.
         */
        get: operations["showConsent"];
        put?: never;
        /**
         * Approve or refuse
         * @description Goes back to the application with a code, or with access_denied.
         */
        post: operations["submitConsent"];
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
         * Exchange an authorization code or a refresh token for tokens
         * @description JSON and form bodies are equal. A parameter given twice is refused. The application authenticates with `client_secret` in
         *     the body or by HTTP Basic, never both; public applications send neither.
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
         * Read the claims of the person
         * @description The claims that the granted scopes allow, of the instance that the person signed in to. `workerProfileId`, `userIds`,
         *     `workerIds` and `lastLoginContext` are always included.
         */
        get: operations["getUserinfo"];
        put?: never;
        post?: never;
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
         * @description What this server offers, in the words of OpenID Connect Discovery 1.0 §3. Everything in it is true.
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
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the public keys
         * @description The keys that verify our ID tokens and access tokens (RFC 7517). Read it again when a token names a key you do not know.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * LoginForm
         * @description The fields of the login page.
         */
        LoginForm: {
            /** @description Proves that the form came from the page (S10). */
            form_token: string;
            /** @description E-mail address. */
            email: string;
            /** @description Password. */
            password: string;
        };
        /**
         * OAuthError
         * @description An error of an OAuth endpoint (RFC 6749 §5.2).
         */
        OAuthError: {
            /** @description The registered error code. */
            error: string;
            /** @description A sentence for the developer of the application. */
            error_description: string;
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
            /** @description The application's id; may be left out with HTTP Basic. */
            client_id?: string;
            /** @description The secret of a confidential application, unless HTTP Basic is used. */
            client_secret?: string;
            /** @description 43 to 128 characters; required when a challenge was sent (RFC 7636). */
            code_verifier?: string;
        } & {
            [key: string]: string;
        };
        /**
         * RefreshTokenGrant
         * @description Uses a refresh token (RFC 6749 §6). The answer carries a new one that replaces it.
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
            /** @description The application's id; may be left out with HTTP Basic. */
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
         * @description Claims about the signed-in person (OIDC Core §5.3.2). A claim without a value is left out.
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
            /** @description Equal to `firstName`, in OpenID Connect's word. */
            given_name?: string;
            /** @description Equal to `lastName`, in OpenID Connect's word. */
            family_name?: string;
            /** @description E-mail address. Scope `email`. */
            email?: string;
            /** @description Whether the address is proven. Scope `email`. */
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
             * @description The public keys.
             */
            jwks_uri: string;
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
            /** @description PKCE methods. */
            code_challenge_methods_supported: string[];
            /** @description Claims that may be present. */
            claims_supported: string[];
            /** @description Kinds of claims. */
            claim_types_supported: string[];
            /** @description Values of prompt. */
            prompt_values_supported: string[];
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
    };
    responses: {
        Unrouted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description On to what comes next: a page of ours, or the application's redirect URI with `code` or `error`, `state` as it was sent, and `iss`
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
        /** @description A page that says what is wrong, with a reference for support. Never a redirect. */
        PageError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
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
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The page. */
        Page: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The body is too large; refused before it is read. */
        OAuthPayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is no form. */
        OAuthUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The request was refused. */
        TokenError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The application authenticated with the Authorization header, and that failed (RFC 6749 §5.2). */
        BasicAuthenticationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                "WWW-Authenticate": components["headers"]["BasicChallenge"];
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
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
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
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description A request below `/auth` or `/.well-known` that matches no operation, or that is refused before one is chosen. */
        OAuthUnrouted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
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
         * @description `none` never shows a page; `login` asks for the password again; `consent` asks for approval again (OIDC Core §3.1.2.1).
         * @example login
         */
        prompt: string;
        /**
         * @description Greatest age of the sign-in, in seconds (OIDC Core §3.1.2.1).
         * @example 3600
         */
        max_age: string;
        /**
         * @description E-mail address to fill in on the login page.
         * @example maren.dahl@harbour-bakery.example
         */
        login_hint: string;
        /**
         * @description Names the sign-in that this page belongs to; good only in the browser that began it.
         * @example Zk3vQ9xT2bW7mL5cN8sRfG
         */
        Interaction: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this request in our logs; quote it when you ask for help.
         * @example req_4tGJ9sWmQ2xZbL7NcR5Kd
         */
        XRequestId: string;
        /**
         * @description The answer must not be kept by any cache (RFC 6749 §5.1).
         * @example no-store
         */
        NoStore: "no-store";
        /**
         * @description Where the user agent goes next.
         * @example https://payroll.example/callback?code=s4Wd9Kx2&state=af0ifjsldkj&iss=http%3A%2F%2Flocalhost%3A8080
         */
        Location: string;
        /**
         * @description Nothing but our own stylesheet is loaded, no script runs, nobody frames the page.
         * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
         */
        ContentSecurityPolicy: string;
        /**
         * @description Seconds to wait before the next try (RFC 9110 §10.2.3).
         * @example 2
         */
        RetryAfter: string;
        /**
         * @description The scheme that failed.
         * @example Basic realm="sign-on", charset="UTF-8"
         */
        BasicChallenge: "Basic realm=\"sign-on\", charset=\"UTF-8\"";
        /**
         * @description The challenge of RFC 6750 §3; without an error when no token was sent.
         * @example Bearer realm="userinfo", error="invalid_token", error_description="The access token is invalid or has expired."
         */
        BearerChallenge: string;
        /**
         * @description How long the document may be kept, in seconds.
         * @example public, max-age=300
         */
        PublicCacheControl: string;
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
                 * @description `none` never shows a page; `login` asks for the password again; `consent` asks for approval again (OIDC Core §3.1.2.1).
                 * @example login
                 */
                prompt?: components["parameters"]["prompt"];
                /**
                 * @description Greatest age of the sign-in, in seconds (OIDC Core §3.1.2.1).
                 * @example 3600
                 */
                max_age?: components["parameters"]["max_age"];
                /**
                 * @description E-mail address to fill in on the login page.
                 * @example maren.dahl@harbour-bakery.example
                 */
                login_hint?: components["parameters"]["login_hint"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showLogin: {
        parameters: {
            query: {
                /**
                 * @description Names the sign-in that this page belongs to; good only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
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
                 * @description Names the sign-in that this page belongs to; good only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
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
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            500: components["responses"]["PageError"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    showConsent: {
        parameters: {
            query: {
                /**
                 * @description Names the sign-in that this page belongs to; good only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
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
                 * @description Names the sign-in that this page belongs to; good only in the browser that began it.
                 * @example Zk3vQ9xT2bW7mL5cN8sRfG
                 */
                interaction: components["parameters"]["Interaction"];
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
            303: components["responses"]["RedirectToNextStep"];
            400: components["responses"]["PageError"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["TokenError"];
            401: components["responses"]["BasicAuthenticationFailed"];
            413: components["responses"]["OAuthPayloadTooLarge"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Userinfo"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["InsufficientScope"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenidConfiguration"];
                };
            };
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
    getJwks: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            500: components["responses"]["OAuthServerError"];
            503: components["responses"]["OAuthUnavailable"];
        };
    };
}
