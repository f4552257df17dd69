import { Browser } from "../../support/browser.ts";
import { describeSignOn, type Scene, withApplication } from "../sign-on-fixture.ts";
import { relyingParty } from "./relying-party.ts";

const REGISTERED = "https://rp.example/cb?foo=bar";

// These stand in the Dynamic and the comprehensive plan only; what they ask holds for every application.
describeSignOn("redirect URIs with a query (comprehensive plan)", (scene) => {
  const rp = relyingParty(scene, "query");
  const withQuery = ({ signOn, world }: Scene) =>
    withApplication(signOn, world, { redirectUris: [{ uri: REGISTERED, instanceId: world.instanceId }] });

  it("oidcc-redirect-uri-query-OK", async () => {
    const world = await withQuery(scene());
    const { parameters } = await rp.authorize(new Browser(scene().signOn.url), world, { redirect_uri: REGISTERED });
    expect(parameters).toMatchObject({ foo: "bar", code: expect.any(String), state: "st-4711" });
  });

  it.each([
    ["oidcc-redirect-uri-query-added", `${REGISTERED}&baz=1`],
    ["oidcc-redirect-uri-query-mismatch", "https://rp.example/cb?foo=baz"],
  ])("%s", async (_, redirect_uri) => {
    const world = await withQuery(scene());
    const answer = await new Browser(scene().signOn.url).open(rp.pathOf(world, { redirect_uri }));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("location")).toBeNull();
  });

  it("oidcc-redirect-uri-regfrag", async () => {
    const { signOn, world } = scene();
    const redirectUris = [{ uri: "https://rp.example/cb#fragment", instanceId: world.instanceId }];
    await expect(withApplication(signOn, world, { redirectUris })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
