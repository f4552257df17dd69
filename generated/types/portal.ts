// Made by `make generate`. Do not edit.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what runs here
         * @description Links to the contracts, the discovery document, health and the sample.
         */
        get: operations["showFrontPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what there is, in one text
         * @description Every guide, contract, SDK and tool of this installation with its address and a sentence, in Markdown of the form that
         *     llmstxt.org describes: for assistants and other programs, which read it in place of the pages. The guides that it links to are
         *     Markdown too.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the contracts
         * @description Leads to the list of contracts, which is on the first page of the documentation. For programs there is `/contracts/index.json`.
         */
        get: operations["findContracts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contracts/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a contract
         * @description The contracts that this server enforces, each in one file: `sign-on`, `gateway`, `portal` and `webhooks.asyncapi`, as `.yaml` and
         *     `.json`. `index.json` lists them with version, size and digest. `webhooks.vectors.json` has signed deliveries of every event type,
         *     to test a verifier with. `platform.workforce.proto` and `platform.sign-on.proto` have the gRPC services for the platform's own back
         *     end, which are offered on a private socket and not at this address.
         */
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a contract
         * @description Both APIs and the events, each with its documentation to read and its files to download.
         */
        get: operations["showDocumentationIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the guides
         * @description Leads to the list of guides, which is on the first page of the documentation.
         */
        get: operations["findGuides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guides/{guide}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a guide
         * @description One task from beginning to end, with commands and programs that name this installation: `quickstart`, `sign-people-in`,
         *     `read-the-gateway` and others, listed at `/docs`. With `.md` after the name it is the Markdown that the page is drawn from.
         *     Both are sent with `content-encoding: gzip` to clients that accept it.
         */
        get: operations["showGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the documentation
         * @description Operations, methods, events, kinds of problems and guides in which the words of `q` occur, the best first. Without `q` all of
         *     them.
         */
        get: operations["searchDocumentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a contract
         * @description The contract of one part, drawn for reading: `sign-on`, `gateway` or `events`, with a sample in each language for
         *     every operation and event; or `platform`, with the gRPC methods for the platform's own back end. The page needs no
         *     script. Each operation, event and method has an address of its own in it.
         */
        get: operations["showDocumentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of problems
         * @description Every kind of problem and every error of sign-on, each with its page.
         */
        get: operations["listProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{problem}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a kind of problem
         * @description Cause, fix and a sample of one problem type, or of one error code of sign-on; the address in a problem's `type`
         *     or in `error_uri`.
         */
        get: operations["showProblem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the SDKs
         * @description Leads to the section of a guide that installs the SDK of each language.
         */
        get: operations["findSdks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sdks/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an SDK
         * @description The source of an SDK as one archive, to install from: `typescript.tgz`, `python.tgz`, `go.tgz` or `java.tgz`. Everything in it
         *     is below one folder, `gatehouse-sdk-` and the language.
         */
        get: operations["getSdk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the tools for receivers
         * @description Leads to the section of a guide that installs them.
         */
        get: operations["findTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the tools for receivers
         * @description `gatehouse-webhooks.tgz` is an npm package with the command `gatehouse-webhooks`: `listen`, `trigger` and `conform`, for
         *     developers of receivers of events. npm installs it from this address; it has no dependency.
         */
        get: operations["getTool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a part of the pages
         * @description Stylesheets, the icon and the script. The name contains a digest of the content, so the file may be cached for a
         *     year. Text is sent with `content-encoding: gzip` to clients that accept it.
         */
        get: operations["getAsset"];
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
        /** @description The page. */
        PublicPage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["PublicCacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                /**
                 * @description The content coding of the bytes (RFC 9110 §8.4); absent without one.
                 * @example gzip
                 */
                "Content-Encoding"?: "gzip";
                /**
                 * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5).
                 * @example accept-encoding
                 */
                Vary?: "accept-encoding";
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /** @description The request has a body, which this address does not accept. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Our fault; the request id finds the cause in our logs. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The page that has the list of what is below this address. */
        ListElsewhere: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["PublicCacheControl"];
                Location: components["headers"]["ListLocation"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Nothing is offered at this address. A page if `Accept` prefers `text/html`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["NoStore"];
                /**
                 * @description If the answer is a page. It loads only our own stylesheet and icon, and cannot be framed.
                 * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
                 */
                "Content-Security-Policy"?: string;
                /**
                 * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5). On 404 to GET and HEAD.
                 * @example accept
                 */
                Vary?: "accept";
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        /** @description The page. */
        ReferencePage: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["PublicCacheControl"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                /**
                 * @description The content coding of the bytes (RFC 9110 §8.4); absent without one.
                 * @example gzip
                 */
                "Content-Encoding"?: "gzip";
                /**
                 * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5).
                 * @example accept-encoding
                 */
                Vary?: "accept-encoding";
                [name: string]: unknown;
            };
            content: {
                "text/html": string;
            };
        };
        /**
         * @description A request outside sign-on and the gateway that matches no operation, or that is refused before one is chosen: ambiguous or malformed
         *     request (400), unknown path (404), method not offered (405), request that does not arrive in time (408), body too large (413), content
         *     coding not offered (415), headers too large (431), fault of ours (500). An unknown path, and one with malformed percent-encoding, is a
         *     page for GET and HEAD if `Accept` prefers `text/html`. Elsewhere `detail` names the path without the slash at its end, if it exists without it; of a malformed request it
         *     says what is wrong.
         */
        PortalUnrouted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["RefusedNoStore"];
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
                /**
                 * @description If the answer is a page. It loads only our own stylesheet and icon, and cannot be framed.
                 * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
                 */
                "Content-Security-Policy"?: string;
                /**
                 * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5). On 404 to GET and HEAD.
                 * @example accept
                 */
                Vary?: "accept";
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
    };
    parameters: {
        /**
         * @description The language whose programs are shown, where the page has it. Links to other pages of the documentation keep it.
         * @example python
         */
        SampleLanguage: "curl" | "openssl" | "typescript" | "python" | "go" | "java";
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in our logs; quote it when you ask for help.
         * @example req_4tGJ9sWmQ2xZbL7NcR5Kd
         */
        XRequestId: string;
        /**
         * @description How long the document may be cached, in seconds.
         * @example public, max-age=300
         */
        PublicCacheControl: string;
        /**
         * @description The page loads only our own stylesheet, runs no script but the one that is named by its whole address, if any, and cannot be framed.
         * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
         */
        ContentSecurityPolicy: string;
        /**
         * @description The content coding of the bytes (RFC 9110 §8.4); absent without one.
         * @example gzip
         */
        AssetContentEncoding: "gzip";
        /**
         * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5).
         * @example accept-encoding
         */
        VaryAcceptEncoding: "accept-encoding";
        /**
         * @description The answer must not be cached (RFC 6749 §5.1).
         * @example no-store
         */
        NoStore: "no-store";
        /**
         * @description The page and the place on it, as a path of this origin.
         * @example /docs#guides
         */
        ListLocation: string;
        /**
         * @description The answer is revalidated before it is reused (RFC 9111 §5.2.2.4).
         * @example no-cache
         */
        NoCache: "no-cache";
        /**
         * @description Pages of every origin may read the answer, which is public.
         * @example *
         */
        AnyOrigin: "*";
        /**
         * @description The headers that a page of any origin may read (Fetch §3.2.3).
         * @example etag, x-contract-version, x-contract-sha256, x-request-id
         */
        ExposedOfContracts: "etag, x-contract-version, x-contract-sha256, x-request-id";
        /**
         * @description Digest of the document (RFC 9110 §8.8.3).
         * @example "5f2b1c"
         */
        ETag: string;
        /**
         * @description Version of the contract, its `info.version`.
         * @example 1.3.1
         */
        XContractVersion: string;
        /**
         * @description SHA-256 of the published file, in hex; the same as in `index.json`.
         * @example 3b1f6c0f5f0e4d0a9d7c8a1be2f4c6d8091a2b3c4d5e6f708192a3b4c5d6e7f8
         */
        XContractSha256: string;
        /**
         * @description If the answer is a page. It loads only our own stylesheet and icon, and cannot be framed.
         * @example default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'
         */
        PageContentSecurityPolicy: string;
        /**
         * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5). On 404 to GET and HEAD.
         * @example accept
         */
        VaryAccept: "accept";
        /**
         * @description The file may be kept for a year, since another content has another name (RFC 8246).
         * @example public, max-age=31536000, immutable
         */
        ImmutableCacheControl: "public, max-age=31536000, immutable";
        /**
         * @description A refusal is not cached.
         * @example no-store
         */
        RefusedNoStore: "no-store";
        /**
         * @description If a content coding is why; bodies are taken without one (RFC 9110 §15.5.16).
         * @example identity
         */
        AcceptEncoding: "identity";
        /**
         * @description On 405, the methods that the address answers (RFC 9110 §10.2.1).
         * @example GET, HEAD, OPTIONS
         */
        AllowIfRefused: string;
        /**
         * @description Where pages of other origins may call, the answer's headers depend on the origin of the page.
         * @example Origin
         */
        VaryIfOrigin: "Origin";
        /**
         * @description The methods that the address answers (RFC 9110 §10.2.1).
         * @example GET, HEAD, OPTIONS
         */
        Allow: string;
        /**
         * @description The origin whose pages may read the answer (CORS, Fetch §3.2.3): the request's origin, if the application that the
         *     request names has registered it, or any (`*`) where all origins may. Never with credentials.
         * @example https://app.example
         */
        AccessControlAllowOrigin: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showFrontPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PublicPage"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    /**
                     * @description The content coding of the bytes (RFC 9110 §8.4); absent without one.
                     * @example gzip
                     */
                    "Content-Encoding"?: "gzip";
                    /**
                     * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5).
                     * @example accept-encoding
                     */
                    Vary?: "accept-encoding";
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    findContracts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ListElsewhere"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy (RFC 9110 §13.1.2).
                 * @example "5f2b1c"
                 */
                "If-None-Match"?: string;
                /**
                 * @description The ETag of your copy, or `*` for any; 412 if the file has another one now (RFC 9110 §13.1.1).
                 * @example *
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Name of the file.
                 * @example gateway.yaml
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoCache"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedOfContracts"];
                    ETag: components["headers"]["ETag"];
                    "X-Contract-Version": components["headers"]["XContractVersion"];
                    "X-Contract-Sha256": components["headers"]["XContractSha256"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/yaml": string;
                    "text/plain": string;
                };
            };
            /** @description Your copy is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoCache"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedOfContracts"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            /** @description The file has none of the entity tags in `If-Match`. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    showDocumentationIndex: {
        parameters: {
            query?: {
                /**
                 * @description The language whose programs are shown, where the page has it. Links to other pages of the documentation keep it.
                 * @example python
                 */
                language?: components["parameters"]["SampleLanguage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReferencePage"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    findGuides: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ListElsewhere"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    showGuide: {
        parameters: {
            query?: {
                /**
                 * @description The language whose programs are shown, where the page has it. Links to other pages of the documentation keep it.
                 * @example python
                 */
                language?: components["parameters"]["SampleLanguage"];
            };
            header?: never;
            path: {
                /**
                 * @description Name of the guide, or name and `.md`.
                 * @example quickstart
                 */
                guide: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The guide. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    /**
                     * @description The content coding of the bytes (RFC 9110 §8.4); absent without one.
                     * @example gzip
                     */
                    "Content-Encoding"?: "gzip";
                    /**
                     * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5).
                     * @example accept-encoding
                     */
                    Vary?: "accept-encoding";
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "text/markdown": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    searchDocumentation: {
        parameters: {
            query?: {
                /**
                 * @description Words to search for, or their beginnings.
                 * @example paging
                 */
                q?: string;
                /**
                 * @description The language whose programs are shown, where the page has it. Links to other pages of the documentation keep it.
                 * @example python
                 */
                language?: components["parameters"]["SampleLanguage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PublicPage"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    showDocumentation: {
        parameters: {
            query?: {
                /**
                 * @description The language whose programs are shown, where the page has it. Links to other pages of the documentation keep it.
                 * @example python
                 */
                language?: components["parameters"]["SampleLanguage"];
            };
            header?: never;
            path: {
                /**
                 * @description The part to show.
                 * @example gateway
                 */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReferencePage"];
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    listProblems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PublicPage"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    showProblem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The kind of problem, words joined by hyphens; an error code of sign-on has `sign-on` before it.
                 * @example client-not-found
                 */
                problem: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PublicPage"];
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    findSdks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ListElsewhere"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getSdk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The language and `.tgz`.
                 * @example typescript.tgz
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    findTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: components["responses"]["ListElsewhere"];
            400: components["responses"]["MalformedRequest"];
            500: components["responses"]["InternalError"];
        };
    };
    getTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The package's name and `.tgz`.
                 * @example gatehouse-webhooks.tgz
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["PublicCacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    getAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of the file.
                 * @example gatehouse-5f2b1c.css
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Cache-Control": components["headers"]["ImmutableCacheControl"];
                    /**
                     * @description The content coding of the bytes (RFC 9110 §8.4); absent without one.
                     * @example gzip
                     */
                    "Content-Encoding"?: "gzip";
                    /**
                     * @description Request headers that a cache must distinguish (RFC 9110 §12.5.5).
                     * @example accept-encoding
                     */
                    Vary?: "accept-encoding";
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                    "text/javascript": string;
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
}
