import { verifiedSignatures } from "../../../src/sign-on/access-tokens/verified-signatures.ts";
import { SIGNING_KEYS_CHANNEL } from "../../../src/sign-on/signing-keys/signing-keys.ts";
import { obtainCode } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { codeGrant, inBody, refreshGrant, type Tokens } from "../conversations/token/token-kit.ts";
import { describeSignOn, withApplication, withPerson } from "../sign-on-fixture.ts";

const verified = (sub: string) => ({ header: { kid: "k", alg: "ES256" }, payload: { sub } });

describe("signatures that this process has made or verified (R-X228)", () => {
  it("are found by all of a token's text", () => {
    const signatures = verifiedSignatures();
    signatures.remember("a.b.c", verified("1"));
    expect(signatures.find("a.b.c")).toEqual(verified("1"));
    expect(["a.b.d", "a.b.c ", "a.b", ""].map(signatures.find)).toEqual(Array(4).fill(undefined));
  });

  it("are bounded: the one not asked for the longest time gives way", () => {
    const signatures = verifiedSignatures(2);
    signatures.remember("one", verified("1"));
    signatures.remember("two", verified("2"));
    signatures.find("one");
    signatures.remember("three", verified("3"));
    expect(["one", "two", "three"].map((token) => signatures.find(token)?.payload.sub)).toEqual(["1", undefined, "3"]);
  });
});

describeSignOn("the signature of an access token that this process knows (R-X228)", (scene) => {
  let people = 0;
  const signedIn = async () => {
    const { signOn } = scene();
    const world = await withPerson(
      signOn,
      await withApplication(signOn, scene().world),
      `p${++people}@harbour.example`,
    );
    const send = async (form: Readonly<Record<string, string>>) =>
      (await call(signOn.url, "/auth/token", { form: { ...form, ...inBody(world) } })).json<Tokens>();
    const tokens = await send(codeGrant(await obtainCode(signOn.url, world)));
    const userinfo = async () => {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return (await call(signOn.url, "/auth/userinfo", { headers })).status;
    };
    expect([await userinfo(), await userinfo()]).toEqual([200, 200]);
    return { world, tokens, userinfo, send };
  };

  it("is not computed, by any endpoint, from the exchange on", async () => {
    const computed = jest.spyOn(globalThis.crypto.subtle, "verify");
    const { world, tokens, userinfo, send } = await signedIn();
    expect(await userinfo()).toBe(200);
    const asked = await call(scene().signOn.url, "/auth/introspect", {
      form: { token: tokens.access_token, ...inBody(world) },
    });
    expect(asked.json()).toMatchObject({ active: true });
    const next = await send(refreshGrant(tokens.refresh_token));
    const later = await call(scene().signOn.url, "/auth/introspect", {
      form: { token: next.access_token, ...inBody(world) },
    });
    expect(later.json()).toMatchObject({ active: true });
    expect(computed).toHaveBeenCalledTimes(0);
    computed.mockRestore();
  });

  it("is refused from its end on", async () => {
    const { tokens, userinfo } = await signedIn();
    scene().signOn.clock.step((tokens.expires_in - 1) * 1_000);
    expect(await userinfo()).toBe(200);
    scene().signOn.clock.step(1_000);
    expect(await userinfo()).toBe(401);
  });

  it("is refused once it, its family or its application was ended", async () => {
    const { signOn } = scene();
    const [alone, reused, disabled] = [await signedIn(), await signedIn(), await signedIn()];
    await call(signOn.url, "/auth/revoke", { form: { token: alone.tokens.access_token, ...inBody(alone.world) } });
    const next = await reused.send(refreshGrant(reused.tokens.refresh_token));
    await reused.send(refreshGrant(next.refresh_token));
    await reused.send(refreshGrant(reused.tokens.refresh_token));
    await signOn.signOn.disableApplication({ applicationId: disabled.world.application.id });
    expect(await Promise.all([alone, reused, disabled].map(({ userinfo }) => userinfo()))).toEqual([401, 401, 401]);
  });

  it("is refused once its person is disabled", async () => {
    const { world, userinfo } = await signedIn();
    await scene().signOn.disablePerson(world.personId);
    expect(await userinfo()).toBe(401);
  });

  it("is refused once its key is revoked", async () => {
    const { userinfo } = await signedIn();
    const { db, opened } = scene().signOn;
    const keys = () => db.updateTable("sign_on_signing_keys").where("algorithm", "=", "ES256");
    await keys().set({ state: "retired" }).execute();
    opened.wake.signal(SIGNING_KEYS_CHANNEL);
    expect(await userinfo()).toBe(401);
    await keys().set({ state: "active" }).execute();
    opened.wake.signal(SIGNING_KEYS_CHANNEL);
    expect(await userinfo()).toBe(200);
  });
});
