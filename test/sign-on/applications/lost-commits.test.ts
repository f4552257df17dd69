import { auditEntries } from "../../support/audited.ts";
import type { FaultProxy } from "../../support/fault-proxy.ts";
import { call } from "../../support/http.ts";
import { openProxied } from "../../support/postgres-proxy.ts";
import { onPostgres, type TestStore } from "../../support/stores.ts";
import { applicationRequest, makeWorld, present, type World } from "../../support/world.ts";
import { codeGrant, inBody } from "../conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on-fixture.ts";

/** The server commits, and its answer never arrives, since the connection is cut. */
onPostgres((open, closeLater) => {
  let direct: TestStore;
  let proxy: FaultProxy;
  let signOn: SignOn;
  let world: World;

  beforeAll(async () => {
    direct = await open(signOnSets);
    const between = await openProxied(direct, closeLater);
    proxy = between.proxy;
    signOn = await openSignOn({ store: between.store, wake: direct.wake }, closeLater);
    world = await makeWorld(signOn);
  });

  /** Loses the answer to the first commit of `act`; returns its own, and what was audited meanwhile. */
  async function losing<T>(act: () => Promise<T>) {
    const before = (await auditEntries(direct.store, ["action"])).length;
    const commits = proxy.cutAtAnswer("COMMIT", 1);
    const answer = await act();
    expect(commits()).toBeGreaterThan(0);
    proxy.pass();
    return { answer, audited: (await auditEntries(direct.store, ["action"])).slice(before) };
  }

  /** What is answered to a code that is none: `invalid_grant` to an application that has proven itself. */
  const asked = async (id: string, secret: string) => {
    const form = { ...codeGrant("none"), ...inBody({ ...world, application: { id, secret } }) };
    return (await call(signOn.url, "/auth/token", { form })).json<{ error: string }>().error;
  };

  it("an application is registered once, and its secret is shown (R-X333)", async () => {
    const listed = async () => (await signOn.signOn.listApplications({ limit: 0 })).applications.length;
    const before = await listed();
    const { answer, audited } = await losing(() =>
      signOn.signOn.createApplication(applicationRequest(world.instanceId)),
    );
    expect(audited).toEqual([{ action: "application.create" }]);
    expect(await listed()).toBe(before + 1);
    expect(await asked(present(answer.application).id, present(answer.secret))).toBe("invalid_grant");
  });

  it("a secret is replaced once, and the one before is still valid (R-X333)", async () => {
    const { id, secret: previous } = world.application;
    const request = { applicationId: id, keepPreviousSeconds: 60 };
    const { answer, audited } = await losing(() => signOn.signOn.rotateApplicationSecret(request));
    expect(audited).toEqual([{ action: "application.rotateSecret" }]);
    expect([await asked(id, answer.secret), await asked(id, previous)]).toEqual(["invalid_grant", "invalid_grant"]);
  });
});
