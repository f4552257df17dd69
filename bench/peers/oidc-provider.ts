import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Adapter, memoryAdapter, sqliteAdapter } from "./adapters.ts";

/**
 * node-oidc-provider as the peer of the sign-on benchmarks: one application, one person, consent remembered, refresh tokens rotated. Its access
 * tokens are opaque, as they are without configuration, so it signs once where we sign twice.
 * Usage: node bench/peers/oidc-provider.ts memory|sqlite port client-id client-secret redirect-uri
 */
const [store, portText, clientId = "", clientSecret = "", redirectUri = ""] = process.argv.slice(2);
if (store !== "memory" && store !== "sqlite")
  throw new Error("usage: oidc-provider.ts memory|sqlite port id secret redirect-uri");
const port = Number(portText);

// The library has no types; these cover only what is used here.
const LIBRARY: string = "oidc-provider";

interface Session {
  grantIdFor(clientId: string): string | undefined;
  readonly accountId?: string;
}

interface Context {
  readonly oidc: {
    readonly session: Session;
    readonly client: { readonly clientId: string };
    readonly account: { readonly accountId: string };
    readonly provider: Provider;
  };
}

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}

interface Provider {
  readonly Grant: {
    new (of: { accountId: string; clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  };
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  proxy: boolean;
}

const { default: OidcProvider } = (await import(LIBRARY)) as {
  default: new (issuer: string, configuration: object) => Provider;
};

const directory = mkdtempSync(join(tmpdir(), "gh-peer-"));
const adapterOf: (model: string) => Adapter =
  store === "memory" ? memoryAdapter() : sqliteAdapter(join(directory, "peer.sqlite"));
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const SCOPES = "openid profile email";
const DAY_SECONDS = 86_400;

const provider = new OidcProvider(`http://localhost:${port}`, {
  adapter: adapterOf,
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "bench", use: "sig", alg: "RS256" }] },
  cookies: { keys: ["a key of the benchmark"] },
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: () => "/interaction" },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  ttl: {
    AccessToken: 3_600,
    AuthorizationCode: 600,
    IdToken: 3_600,
    RefreshToken: 30 * DAY_SECONDS,
    Grant: 180 * DAY_SECONDS,
    Session: DAY_SECONDS,
    Interaction: 3_600,
  },
  findAccount: (_context: Context, accountId: string) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      email: "maren.dahl@harbour.example",
      email_verified: true,
      given_name: "Maren",
      family_name: "Dahl",
    }),
  }),
  // The consent of the one person, given once.
  async loadExistingGrant({ oidc }: Context) {
    const known = oidc.session.grantIdFor(oidc.client.clientId);
    if (known !== undefined) return oidc.provider.Grant.find(known);
    const grant = new oidc.provider.Grant({ accountId: oidc.account.accountId, clientId: oidc.client.clientId });
    grant.addOIDCScope(SCOPES);
    await grant.save();
    return grant;
  },
});

const answer = provider.callback();
const server = createServer((request, response) => {
  // Signs every visitor in: asking for passwords is not part of the comparison.
  if (request.url?.startsWith("/interaction")) {
    void provider.interactionFinished(request, response, { login: { accountId: "person" } });
  } else answer(request, response);
});
server.listen(port, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.on("SIGTERM", () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
