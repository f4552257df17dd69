import { obtainCode, redeem } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { applicationRequest, present, REDIRECT_URI, type World } from "../support/world.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { type Ask, both, notApplicable, type SetUp } from "./set-up.ts";

const LONG = "x".repeat(70_000);
const GZIP = { "content-encoding": "gzip" };
const NO_CALL = notApplicable("the answer is made of settings alone, so nothing of ours can fail");

/** Brings about a case of the operations that an application's back end calls; undefined for an unknown case. */
export async function tokenSetUp(one: Case, installations: Installations): Promise<SetUp | undefined> {
  const { applications, urls } = installations;
  const world = applications.never;
  switch (one.operationId) {
    case "exchangeToken":
      return exchangeSetUp(one, installations);
    case "getUserinfo":
      return userinfoSetUp(one, world, urls.whole);
    case "revokeToken":
    case "introspectToken":
      return serverOnly(await referenceSetUp(one, world, urls.whole));
    case "postUserinfo":
      return serverOnly(await postedSetUp(one, world, urls.whole));
    case "getAuthorizationServerMetadata":
      return serverOnly(discoverySetUp(one.status));
    case "getOpenidConfiguration":
      return one.status === 400 ? MALFORMED_DISCOVERY : both(discoverySetUp(one.status));
    case "getJwks":
      if (one.status === 400) return MALFORMED_DISCOVERY;
      if (one.status === 412) return JWKS_OF_ANOTHER_TAG;
      return one.status === 304 ? unchangedSetUp(one, urls.whole) : (failures({}, one.status) ?? both({}));
    default:
      return undefined;
  }
}

// NUL, which makes a request malformed in any place (R-X26).
const NUL_IN_QUERY = { x: "\0" };
const MALFORMED_DISCOVERY: SetUp = {
  server: { query: NUL_IN_QUERY },
  sdk: notApplicable("its call has no parameter that could be malformed"),
};

const JWKS_OF_ANOTHER_TAG: SetUp = {
  server: { headers: { "if-match": '"another"' } },
  sdk: notApplicable("it has no If-Match (R-X420)"),
};

/** One of the two discovery documents. */
function discoverySetUp(status: number): SetUp["server"] {
  if (status === 400) return MALFORMED_DISCOVERY.server;
  return status === 200 ? {} : NO_CALL;
}

async function unchangedSetUp({ path }: Case, url: string): Promise<SetUp> {
  const { headers } = await call(url, path);
  return both({ headers: { "if-none-match": headers.get("etag") ?? "" } });
}

const NOT_IN_SDK = notApplicable("programs that use the SDK let their OpenID Connect library call it");
const serverOnly = (server: SetUp["server"]): SetUp => ({ server, sdk: NOT_IN_SDK });

/** Revocation and introspection: the same request, other answers. */
async function referenceSetUp(
  { operationId, status, example }: Case,
  world: World,
  url: string,
): Promise<SetUp["server"]> {
  const { id, secret } = world.application;
  const client = { client_id: id, client_secret: secret };
  const live = async () => {
    const answer = await redeem(url, world, await obtainCode(url, world));
    return { json: { ...client, token: answer.json<{ readonly refresh_token: string }>().refresh_token } };
  };
  const unknown = { json: { ...client, token: "unknown" } };
  switch (`${operationId} ${status} ${example}`) {
    case "introspectToken 200 inactive":
      return unknown;
    case "revokeToken 400 invalidRequest":
    case "introspectToken 400 invalidRequest":
      return { json: client };
    case "revokeToken 400 invalidClient":
    case "introspectToken 401 invalidClient":
      return { json: { token: "unknown", client_id: id, client_secret: "wrong" } };
    case "revokeToken 401 invalidClient":
      return { json: { token: "unknown" }, basic: { id, secret: "wrong" } };
    default:
      return refusalFor(unknown, { json: { ...client, token: LONG } }, status) ?? live();
  }
}

async function postedSetUp({ status }: Case, world: World, url: string): Promise<SetUp["server"]> {
  const accessToken = async (scope: string) => {
    const answer = await redeem(url, world, await obtainCode(url, world, { scope }));
    return answer.json<{ readonly access_token: string }>().access_token;
  };
  switch (status) {
    case 200:
      return { form: { access_token: await accessToken("openid profile email") } };
    case 400:
      return { form: { access_token: "one" }, accessToken: "another" };
    case 401:
      return { form: { access_token: "wrong" } };
    case 403:
      return { form: { access_token: await accessToken("profile") } };
    default:
      return refusalFor({ form: { access_token: "any" } }, { form: { access_token: LONG } }, status) ?? {};
  }
}

const refusalFor = (ask: Ask, tooLarge: Ask, status: number): Ask | undefined => {
  if (status === 413) return tooLarge;
  if (status === 415) return { ...ask, headers: GZIP };
  if (status === 500) return { ...ask, at: "failing" };
  return status === 503 ? { ...ask, at: "unreachable" } : undefined;
};

const failures = (ask: Ask, status: number): SetUp | undefined => {
  if (status === 500) return both({ ...ask, at: "failing" });
  return status === 503 ? both({ ...ask, at: "unreachable" }) : undefined;
};

async function exchangeSetUp(
  one: Case,
  { applications, gatehouse, urls: { whole: url } }: Installations,
): Promise<SetUp | undefined> {
  const world = applications.never;
  const { id, secret } = world.application;
  const client = { client_id: id, client_secret: secret };
  const grant = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, ...client };
  const unspent = { json: { ...grant, code: "unknown" } };
  const failed = failures(unspent, one.status);
  if (failed !== undefined) return failed;
  switch (`${one.status} ${one.example}`) {
    case "200 withIdToken": {
      const fresh = async () => ({ json: { ...grant, code: await obtainCode(url, world) } });
      return { server: await fresh(), sdk: await fresh() };
    }
    case "200 afterRefresh": {
      const fresh = async () => {
        const answer = await redeem(url, world, await obtainCode(url, world));
        const { refresh_token = "" } = answer.json<{ readonly refresh_token?: string }>();
        return { json: { ...client, grant_type: "refresh_token", refresh_token } };
      };
      return { server: await fresh(), sdk: await fresh() };
    }
    case "400 invalidRequest":
      return both({ json: grant });
    case "400 invalidClient":
      return both({ json: { ...grant, code: "unknown", client_secret: "wrong" } });
    case "400 invalidGrant":
      return both(unspent);
    case "400 unauthorizedClient":
      return both({
        json: { ...(await codesOnly(gatehouse, world)), grant_type: "refresh_token", refresh_token: "unknown" },
      });
    case "400 unsupportedGrantType":
      return both({ json: { ...client, grant_type: "password" } });
    case "400 invalidScope": {
      const answer = await redeem(url, world, await obtainCode(url, world, { scope: "openid" }));
      const { refresh_token = "" } = answer.json<{ readonly refresh_token?: string }>();
      return both({ json: { ...client, grant_type: "refresh_token", refresh_token, scope: "openid email" } });
    }
    case "401 invalidClient": {
      const { client_id: _, client_secret: __, ...rest } = grant;
      return both({ json: { ...rest, code: "unknown" }, basic: { id, secret: "wrong" } });
    }
    case "413 invalidRequest":
      return both({ json: { ...grant, code: LONG } });
    case "415 invalidRequest":
      return {
        server: { ...unspent, headers: GZIP },
        sdk: notApplicable("its types do not let a content coding be named"),
      };
    default:
      return undefined;
  }
}

/** The credentials of an application that may not refresh. */
async function codesOnly({ signOn }: Installations["gatehouse"], { instanceId }: World) {
  const request = applicationRequest(instanceId, { grantTypes: ["authorization_code"] });
  const { application, secret } = await signOn.createApplication(request);
  return { client_id: present(application).id, client_secret: secret ?? "" };
}

async function userinfoSetUp(one: Case, world: World, url: string): Promise<SetUp | undefined> {
  const accessToken = async (scope: string) => {
    const answer = await redeem(url, world, await obtainCode(url, world, { scope }));
    return answer.json<{ readonly access_token: string }>().access_token;
  };
  switch (one.status) {
    case 200:
      return both({ accessToken: await accessToken("openid profile email") });
    case 400:
      return {
        server: { accessToken: await accessToken("openid"), query: NUL_IN_QUERY },
        sdk: notApplicable("its call has no parameter that could be malformed"),
      };
    case 401:
      return both({ accessToken: "wrong" });
    case 403:
      return both({ accessToken: await accessToken("profile") });
    default:
      return failures({ accessToken: await accessToken("openid") }, one.status);
  }
}
