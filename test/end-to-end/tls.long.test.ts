import { existsSync, readFileSync } from "node:fs";
import { Agent } from "node:https";
import type { LookupFunction } from "node:net";
import { join } from "node:path";
import * as client from "openid-client";
import { Browser, signIn } from "../support/browser.ts";
import { type CertificateAuthority, openCertificateAuthority } from "../support/certificate-authority.ts";
import { opensslPart } from "../support/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import {
  applicationRequest,
  invitation,
  makeWorld,
  newTenant,
  PASSWORD,
  present,
  type World,
} from "../support/world.ts";

const HOST = "sign-on.harbour.example";
/** The name's address, as a test lab's name server would give it. */
const toLoopback: LookupFunction = (_host, { all }, done) =>
  all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

describeWith(opensslPart(), "an https issuer with a name, a port and an authority of its own", () =>
  withScope((closeLater) => {
    let authority: CertificateAuthority;
    let agent: Agent;
    let gatehouse: Gatehouse;
    let world: World;
    let registered: readonly Registered[];

    interface Registered {
      readonly id: string;
      readonly secret: string;
      readonly instanceId: string;
      readonly redirectUri: string;
    }

    beforeAll(async () => {
      authority = await openCertificateAuthority(closeLater);
      const { certificateFile, keyFile } = authority.issue("edge", [HOST]);
      const port = await freePort();
      const issuer = `https://${HOST}:${port}`;
      const tls = { "tls-certificate-file": certificateFile, "tls-key-file": keyFile };
      const flags = { issuer, "public-port": String(port), ...tls, development: "false" };
      gatehouse = await openGatehouse(closeLater, { flags });
      agent = new Agent({ ca: authority.certificate, lookup: toLoopback, servername: HOST });
      closeLater(async () => agent.destroy());
      const redirectUris = (instanceId: string, name: string) =>
        ["one", "two"].map((path) => ({ instanceId, uri: `https://${name}.example/${path}` }));
      world = await makeWorld(gatehouse, { redirectUri: "https://marigold.example/callback" });
      const other = await secondInstance();
      registered = (
        await Promise.all([
          register("payroll", redirectUris(world.instanceId, "payroll")),
          register("rota", [
            ...redirectUris(other, "rota"),
            { instanceId: world.instanceId, uri: "https://rota.example/home" },
          ]),
        ])
      ).flat();
    });

    /** The same person on another instance. */
    async function secondInstance(): Promise<string> {
      const { instance } = await gatehouse.platform.createInstance({ requestId: "", name: "North America" });
      const instanceId = present(instance).id;
      const addedTenantId = await newTenant(gatehouse, instanceId, "Bay");
      const { user } = await gatehouse.platform.inviteUser(invitation(addedTenantId, "maren.dahl@bay.example"));
      await gatehouse.signOn.setPassword({ personId: present(present(user).person).id, password: PASSWORD });
      return instanceId;
    }

    async function register(name: string, redirectUris: readonly { instanceId: string; uri: string }[]) {
      const request = applicationRequest(world.instanceId, { name, redirectUris: [...redirectUris] });
      const { application, secret } = await gatehouse.signOn.createApplication(request);
      return redirectUris.map(
        ({ instanceId, uri }): Registered => ({
          id: present(application).id,
          secret: present(secret),
          instanceId,
          redirectUri: uri,
        }),
      );
    }

    /** openid-client's requests, over a connection that trusts the private authority. */
    const trusting: client.CustomFetch = async (url, init) => {
      const { pathname, search } = new URL(url);
      const { method, headers, body } = init;
      const sent = { method, headers, agent };
      const form = body === undefined || body === null ? {} : { body: Buffer.from(String(body)) };
      const { status, headers: got, text } = await call(gatehouse.url, `${pathname}${search}`, { ...sent, ...form });
      return new Response(text === "" ? null : text, { status, headers: got });
    };
    const configure = ({ id, secret }: Registered) =>
      client.discovery(new URL(gatehouse.url), id, secret, undefined, { [client.customFetch]: trusting });

    it("serves every application at each of its redirect URIs, for the instance of each (R-S4, R-S7)", async () => {
      const people = await Promise.all(
        registered.map(async (one) => {
          const application = await configure(one);
          const pkceCodeVerifier = client.randomPKCECodeVerifier();
          const { pathname, search } = client.buildAuthorizationUrl(application, {
            redirect_uri: one.redirectUri,
            scope: "openid email",
            code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
            code_challenge_method: "S256",
          });
          const email = one.instanceId === world.instanceId ? world.email : "maren.dahl@bay.example";
          const browser = new Browser(gatehouse.url, { agent });
          const back = await signIn(browser, `${pathname}${search}`, { email });
          const tokens = await client.authorizationCodeGrant(application, back, {
            pkceCodeVerifier,
            idTokenExpected: true,
          });
          const { sub } = present(tokens.claims());
          const userinfo = await client.fetchUserInfo(application, tokens.access_token, sub);
          return [`${back.origin}${back.pathname}`, email, userinfo.email, [...browser.cookies.keys()]];
        }),
      );
      expect(people.map(([uri]) => uri)).toEqual(registered.map(({ redirectUri }) => redirectUri));
      expect(people.map(([, , told]) => told)).toEqual(people.map(([, email]) => email));
      expect(new Set(people.flatMap(([, , , cookies]) => cookies))).toEqual(
        new Set(["__Host-gatehouse_session", "__Host-gatehouse_device"]),
      );
    });

    it("keeps its issuer whatever the headers (S36, RFC 9700 statement 36)", async () => {
      const discovery = (headers: Readonly<Record<string, string>> = {}) =>
        call(gatehouse.url, "/.well-known/openid-configuration", { headers, agent });
      const plain = await discovery();
      expect(plain.json<{ issuer: string }>().issuer).toBe(gatehouse.url);
      const lies = {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        "x-forwarded-port": "80",
        "x-forwarded-for": "203.0.113.9",
        "x-original-url": "/evil",
        forwarded: 'host="evil.example";proto=http',
      };
      expect((await discovery(lies)).text).toBe(plain.text);
      const login = await new Browser(gatehouse.url, { agent }).follow(
        `/auth/authorize?response_type=code&client_id=${registered[0]?.id}&redirect_uri=${registered[0]?.redirectUri}&scope=openid`,
        { headers: lies },
      );
      expect(login.answer.text).not.toContain("evil");
      expect([login.left, login.answer.status]).toEqual([undefined, 200]);
    });

    it("is named in the log when a changed certificate does not cover it (R-X126)", async () => {
      const { certificateFile, keyFile } = authority.issue("changing", [HOST]);
      const destination = join(authority.folder, "log");
      const port = await freePort();
      const tls = { "tls-certificate-file": certificateFile, "tls-key-file": keyFile };
      const log = { "log-level": "warn", "log-destination": destination };
      const issuer = `https://${HOST}:${port}`;
      await openGatehouse(closeLater, { flags: { issuer, "public-port": String(port), ...tls, ...log } });
      const said = async () => (existsSync(destination) ? readFileSync(destination, "utf8") : "");
      expect(await said()).not.toContain("does not cover");
      authority.issue("changing", ["other.example"]);
      const named = await eventually(said, (text) => text.includes("does not cover"));
      expect(named).toContain("The certificate does not cover a public hostname of this server.");
      expect(named).toContain(`"address":"${HOST}"`);
    });

    it("is not trusted without its authority's certificate", async () => {
      const stranger = new Agent({ lookup: toLoopback });
      await expect(call(gatehouse.url, "/", { agent: stranger })).rejects.toMatchObject({
        code: /CERT|ISSUER|SIGNATURE/,
      });
      stranger.destroy();
    });
  }),
);
