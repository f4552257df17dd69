import { auditEntries } from "../../../support/audited.ts";
import { authorizePath, Browser } from "../../../support/browser.ts";
import { invitation, PASSWORD } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";

/** The small sister of `make timing-sign-in`: counts the work instead of measuring it. */
describeSignOn("the work of a refused sign-in (R-S17, S16)", (scene) => {
  it("is one hash, one stored attempt and one audit entry for every person", async () => {
    const { signOn, world } = scene();
    const disabled = await withPerson(signOn, world, "disabled@harbour.example");
    await signOn.disablePerson(disabled.personId);
    await signOn.platform.inviteUser(invitation(world.tenantId, "no-password@harbour.example"));
    const browser = new Browser(signOn.url);
    const page = await browser.follow(authorizePath(world));
    const done = async () => {
      const metrics = await signOn.metrics.metrics();
      return [
        Number(/^gatehouse_password_hash_wait_seconds_count (\d+)$/m.exec(metrics)?.[1]),
        (await signOn.db.selectFrom("sign_on_sign_ins").select("id").execute()).length,
        (await auditEntries(signOn.opened.store, ["action"])).length,
      ];
    };
    const worked: unknown[] = [];
    for (const [email, password] of [
      ["nobody@harbour.example", PASSWORD],
      [world.email, "incorrect horse battery staple"],
      [world.email, ""],
      [disabled.email, PASSWORD],
      [disabled.email, "incorrect horse battery staple"],
      ["no-password@harbour.example", PASSWORD],
      ["", ""],
    ] as const) {
      const before = await done();
      await browser.submit(page.answer, { email, password });
      const after = await done();
      worked.push(after.map((count, index) => count - (before[index] ?? 0)));
    }
    expect(worked).toEqual(Array(7).fill([1, 1, 1]));
  });
});
