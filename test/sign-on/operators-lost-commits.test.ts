import { auditEntries } from "../support/audited.ts";
import type { FaultProxy } from "../support/fault-proxy.ts";
import { openProxied } from "../support/postgres-proxy.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { applicationRequest, makeWorld, present, type World } from "../support/world.ts";
import { openSignOn, type SignOn, signOnSets } from "./sign-on-fixture.ts";

/** The server commits, and its answer never arrives, since the connection is cut. */
onPostgres((open, closeLater) => {
  let direct: TestStore;
  let proxy: FaultProxy;
  let signOn: SignOn;
  let world: World;
  let calls = 0;

  beforeAll(async () => {
    direct = await open(signOnSets);
    const between = await openProxied(direct, closeLater);
    proxy = between.proxy;
    signOn = await openSignOn({ store: between.store, wake: direct.wake }, closeLater);
    world = await makeWorld(signOn);
  });

  const added = (instanceId: string) => ({ uri: "http://localhost:9/other", instanceId });
  const newApplication = async () => {
    const redirectUris = [
      { uri: "http://localhost:9/callback", instanceId: world.instanceId },
      { uri: "http://localhost:9/second", instanceId: world.instanceId },
    ];
    const { application } = await signOn.signOn.createApplication(
      applicationRequest(world.instanceId, { redirectUris }),
    );
    return present(application).id;
  };
  const key = () => ({ $case: "personId", value: world.personId }) as const;

  it.each<[string, (applicationId: string, call: { readonly requestId: string }) => Promise<unknown>]>([
    [
      "application.addRedirectUri",
      (applicationId, call) =>
        signOn.signOn.addRedirectUri({ applicationId, redirectUri: added(world.instanceId) }, call),
    ],
    [
      "application.removeRedirectUri",
      (applicationId, call) =>
        signOn.signOn.removeRedirectUri({ applicationId, uri: "http://localhost:9/second" }, call),
    ],
    ["application.disable", (applicationId, call) => signOn.signOn.disableApplication({ applicationId }, call)],
    ["application.delete", (applicationId, call) => signOn.signOn.deleteApplication({ applicationId }, call)],
    [
      "passwordLink.create",
      (_, call) => signOn.people.createPasswordLink({ key: key(), purpose: "PASSWORD_LINK_PURPOSE_RESET" }, call),
    ],
    [
      "password.set",
      (_, call) =>
        signOn.signOn.setPassword({ personId: world.personId, password: "seven quiet herons at noon" }, call),
    ],
    ["session.endAll", (_, call) => signOn.people.endSessions({ key: key() }, call)],
  ])("what operators do is done once, and they are answered: %s (R-X333)", async (action, act) => {
    const applicationId = await newApplication();
    const before = (await auditEntries(direct.store, ["action"])).length;
    const commits = proxy.cutAtAnswer("COMMIT", 1);
    const answer = await act(applicationId, { requestId: `call-${++calls}` });
    expect(commits()).toBeGreaterThan(0);
    proxy.pass();
    expect((await auditEntries(direct.store, ["action"])).slice(before)).toEqual([{ action }]);
    expect(answer).toEqual(expect.any(Object));
  });
});
