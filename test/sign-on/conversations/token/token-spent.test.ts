import { setTimeout as sleep } from "node:timers/promises";
import type { FamiliesTable, SignOnTables } from "../../../../src/sign-on/tables.ts";
import { obtainCode } from "../../../support/browser.ts";
import { blocker } from "../../../support/deadlocks.ts";
import { type Answer, call } from "../../../support/http.ts";
import { closingAfterAll } from "../../../support/scope.ts";
import { eachStore } from "../../../support/stores.ts";
import { makeWorld, type World } from "../../../support/world.ts";
import { openSignOn, type SignOn, signOnSets } from "../../sign-on-fixture.ts";
import { codeGrant, expectAnswer, expectRefusal, inBody } from "./token-kit.ts";

/** Longer than the signatures of an exchange take. */
const SIGNED_MS = 500;

eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();

  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
  });

  /**
   * Exchanges a code while another transaction has its row; returns the state of the exchange when its tokens must be signed,
   * and its answer once `meanwhile` is committed.
   */
  async function exchangeDuring(meanwhile: Partial<FamiliesTable>) {
    const code = await obtainCode(signOn.url, world);
    const other = await blocker<SignOnTables>(signOn.opened, (tx) =>
      tx
        .updateTable("sign_on_families")
        .set(({ ref }) => ({ scopes: ref("scopes"), ...meanwhile }))
        .where("generation", "=", 0)
        .execute(),
    );
    let answered = false;
    const exchange = call(signOn.url, "/auth/token", { form: { ...codeGrant(code), ...inBody(world) } });
    const settled: Promise<Answer> = exchange.finally(() => {
      answered = true;
    });
    await sleep(SIGNED_MS);
    const answeredBefore = answered;
    await other.end();
    return { answeredBefore, answer: await settled };
  }

  it("no token leaves before the code is durably spent (R-S11)", async () => {
    const { answeredBefore, answer } = await exchangeDuring({});
    expect(answeredBefore).toBe(false);
    expectAnswer(answer, 200);
  });

  it("no token leaves of a code that another exchange spends meanwhile (R-S11)", async () => {
    const { answeredBefore, answer } = await exchangeDuring({ generation: 1, redeemed_at: 1, ends_at: 2 });
    expect(answeredBefore).toBe(false);
    expectRefusal(answer, 400, "invalid_grant");
  });
});
