import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { CASES } from "../conformance/cases.ts";
import { addressOf } from "../conformance/subjects.ts";
import { authorizePath, Browser, obtainCode, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type FaultProxy, openFaultProxy } from "../support/fault-proxy.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { type Answer, type CallInit, call } from "../support/http.ts";
import { describeWith } from "../support/optional-part.ts";
import { postgresMissing, startPostgres } from "../support/postgres-server.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, PASSWORD, present, REDIRECT_URI, type World } from "../support/world.ts";

/** One request for an operation of the contracts, made ready while the store was there. */
interface Prepared {
  readonly path: string;
  readonly init?: CallInit;
  /** Whose cookies go along. */
  readonly browser?: Browser;
}

const CONTRACTS = join(import.meta.dirname, "..", "..", "generated", "contracts");

/** Answered from what the process knows by itself, each with its status. */
const WITHOUT_STORE: ReadonlyMap<string, number> = new Map([
  ["getOpenidConfiguration", 200],
  ["getAuthorizationServerMetadata", 200],
  ["getJwks", 200],
  ["findPasswordChange", 303],
  ["showSignedOut", 200],
]);

const operationIds = (name: string): readonly string[] => {
  const { paths } = JSON.parse(readFileSync(join(CONTRACTS, `${name}.json`), "utf8")) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  };
  return Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
};

/** The address of a page's form, and its hidden token. */
function formOf(page: Answer, values: Readonly<Record<string, string>>): Pick<Prepared, "path" | "init"> {
  const action = /<form [^>]*action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1];
  return { path: present(action), init: { method: "POST", form: { form_token: present(token), ...values } } };
}

/** The operations of an integration's own webhooks, as the contract shows them: none gets as far as its ids. */
const ownWebhooks = ({ apiKey }: World): Readonly<Record<string, Prepared>> =>
  Object.fromEntries(
    CASES.filter(({ path }) => path.startsWith("/v1/webhooks/")).map((one) => {
      const { path, query, body } = one.shown;
      const json = body === undefined ? {} : { json: body.value };
      const init = { method: one.method, headers: { "x-api-key": apiKey }, ...json };
      return [one.operationId, { path: addressOf(one, path, query), init }];
    }),
  );

async function prepare(gatehouse: ProcessGatehouse, world: World): Promise<Readonly<Record<string, Prepared>>> {
  const { url } = gatehouse;
  const tokens = (await redeem(url, world, await obtainCode(url, world))).json<{ access_token: string }>();
  const bearer = { headers: { authorization: `Bearer ${tokens.access_token}` } };
  const credentials = { client_id: world.application.id, client_secret: world.application.secret };
  const form = (values: Readonly<Record<string, string>>): CallInit => ({ method: "POST", form: values });

  const visitor = new Browser(url);
  const login = await visitor.follow(authorizePath(world));
  const accountSignIn = await visitor.open("/auth/account/sign-in");
  const member = new Browser(url);
  await signIn(member, authorizePath(world), { email: world.email });
  const consent = await member.follow(authorizePath(world, { prompt: "consent" }));
  const signOut = await member.follow("/auth/logout");
  const account = await member.open("/auth/account");
  const passwordChange = await member.open("/auth/account/password");
  const { link } = await gatehouse.people.createPasswordLink({
    key: { $case: "personId", value: world.personId },
    purpose: PasswordLinkPurpose.RESET,
  });
  const linkPath = link.slice(url.length);
  const setPassword = await visitor.open(linkPath);

  const tenants = `/v1/instance-integrations/${world.instanceIntegrationId}/clients`;
  const tenant = `${tenants}/${world.tenantId}`;
  const key = { headers: { "x-api-key": world.apiKey } };
  const read = (path: string): Prepared => ({ path, init: key });
  const password = "another long enough password";

  return {
    authorize: { path: authorizePath(world), browser: member },
    authorizeByPost: {
      path: "/auth/authorize",
      init: form(Object.fromEntries(new URLSearchParams(authorizePath(world).split("?")[1]))),
    },
    showLogin: { path: login.path, browser: visitor },
    submitLogin: { ...formOf(login.answer, { email: world.email, password: PASSWORD }), browser: visitor },
    showConsent: { path: consent.path, browser: member },
    submitConsent: { ...formOf(consent.answer, { decision: "approve" }), browser: member },
    logout: { path: "/auth/logout", browser: member },
    submitLogout: { path: "/auth/logout", init: form({}), browser: member },
    showSignOut: { path: signOut.path, browser: member },
    submitSignOut: { ...formOf(signOut.answer, { decision: "sign_out" }), browser: member },
    showSignedOut: { path: "/auth/signed-out" },
    showSetPassword: { path: linkPath },
    submitSetPassword: { ...formOf(setPassword, { password, password_again: password }), browser: visitor },
    showAccount: { path: "/auth/account", browser: member },
    submitAccount: { ...formOf(account, { action: "sign_out_everywhere" }), browser: member },
    showAccountSignIn: { path: "/auth/account/sign-in", browser: member },
    submitAccountSignIn: { ...formOf(accountSignIn, { email: world.email, password: PASSWORD }), browser: visitor },
    findPasswordChange: { path: "/.well-known/change-password" },
    showPasswordChange: { path: "/auth/account/password", browser: member },
    submitPasswordChange: {
      ...formOf(passwordChange, { old_password: PASSWORD, password, password_again: password }),
      browser: member,
    },
    exchangeToken: {
      path: "/auth/token",
      init: form({
        ...credentials,
        grant_type: "authorization_code",
        code: "x".repeat(43),
        redirect_uri: REDIRECT_URI,
      }),
    },
    getUserinfo: { path: "/auth/userinfo", init: bearer },
    postUserinfo: { path: "/auth/userinfo", init: { method: "POST", ...bearer } },
    revokeToken: { path: "/auth/revoke", init: form({ ...credentials, token: tokens.access_token }) },
    introspectToken: { path: "/auth/introspect", init: form({ ...credentials, token: tokens.access_token }) },
    getOpenidConfiguration: { path: "/.well-known/openid-configuration" },
    getAuthorizationServerMetadata: { path: "/.well-known/oauth-authorization-server" },
    getJwks: { path: "/.well-known/jwks.json" },
    listInstanceIntegrations: read("/v1/instance-integrations"),
    listClients: read(tenants),
    getClient: read(tenant),
    listJobTitles: read(`${tenant}/job-titles`),
    getOrganizationStructure: read(`${tenant}/organization-structure`),
    listUsers: read(`${tenant}/users`),
    getUser: read(`${tenant}/users/${world.userId}`),
    listWorkers: read(`${tenant}/workers`),
    listWorkersV2: read(`/v2${tenant.slice(3)}/workers`),
    getWorkerV2: read(`/v2${tenant.slice(3)}/workers/${world.userId}`),
    ...ownWebhooks(world),
  };
}

describeWith(
  { name: "PostgreSQL", missing: postgresMissing() },
  "every endpoint while PostgreSQL is away (R-X14)",
  () =>
    withScope((closeLater) => {
      let proxy: FaultProxy;
      let gatehouse: ProcessGatehouse;
      let prepared: Readonly<Record<string, Prepared>>;

      beforeAll(async () => {
        const server = await startPostgres();
        closeLater(() => server.stop());
        proxy = await openFaultProxy(closeLater, { target: { path: `${server.directory}/.s.PGSQL.5432` } });
        gatehouse = await openProcesses(closeLater, {
          flags: {
            "store-url": `postgresql://gatehouse@127.0.0.1:${proxy.port}/postgres`,
            "master-keys": TEST_MASTER_KEY,
          },
        });
        prepared = await prepare(gatehouse, await makeWorld(gatehouse));
      });

      const ask = async (operationId: string): Promise<readonly unknown[]> => {
        const { path, init, browser } = present(prepared[operationId]);
        const { status, headers } = await (browser ? browser.open(path, init) : call(gatehouse.url, path, init));
        return [operationId, status, headers.get("retry-after")];
      };

      it("answers 503 with Retry-After where the store is needed, and everything else as usual, each as the contract says", async () => {
        const operations = [...operationIds("sign-on"), ...operationIds("gateway")].filter(
          (id) => !id.startsWith("on"),
        );
        expect(Object.keys(prepared).toSorted()).toEqual(operations.toSorted());
        const asked = operations.filter((id) => !WITHOUT_STORE.has(id));

        proxy.refuse();
        proxy.cut();
        expect(await Promise.all(asked.map(ask))).toEqual(asked.map((id) => [id, 503, "2"]));
        expect(await Promise.all([...WITHOUT_STORE.keys()].map(ask))).toEqual(
          [...WITHOUT_STORE].map(([id, status]) => [id, status, null]),
        );

        proxy.pass();
        const back = await eventually(
          () => ask("listWorkers"),
          ([, status]) => status === 200,
        );
        expect(back).toEqual(["listWorkers", 200, null]);
      });
    }),
);
