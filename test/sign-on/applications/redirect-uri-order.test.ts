import { sql } from "kysely";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, present, type World } from "../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withApplication } from "../sign-on-fixture.ts";

const AT = "https://app.example/";

eachStore((name, open) => {
  let signOn: SignOn;
  let base: World;
  const closeLater = closingAfterAll();

  beforeAll(async () => {
    const opened = await open(signOnSets);
    // Sorts small and capital letters together, as databases of most languages do.
    if (name === "postgres")
      await sql`alter table sign_on_redirect_uris alter column uri type text collate "und-x-icu"`.execute(
        opened.store.view(),
      );
    signOn = await openSignOn(opened, closeLater);
    base = await makeWorld(signOn);
  });

  it("redirect URIs are in the order of their bytes in every answer, with any collation", async () => {
    const redirectUris = ["b", "A", "c"].map((path) => ({ uri: `${AT}${path}`, instanceId: base.instanceId }));
    const { application } = await withApplication(signOn, base, { redirectUris });
    const added = await signOn.signOn.addRedirectUri({
      applicationId: application.id,
      redirectUri: { uri: `${AT}B`, instanceId: base.instanceId },
    });
    const shown = await signOn.signOn.getApplication({ applicationId: application.id });
    const listed = await signOn.signOn.listApplications({ limit: 200, cursor: null, name: null });
    const inList = listed.applications.find(({ id }) => id === application.id);
    const paths = [added.application, shown.application, inList ?? null].map((one) =>
      present(one).redirectUris.map(({ uri }) => uri.replace(AT, "")),
    );
    const inOrder = ["A", "B", "b", "c"];
    expect(paths).toEqual([inOrder, inOrder, inOrder]);
  });
});
