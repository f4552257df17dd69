import { setTimeout as sleep } from "node:timers/promises";
import { authorizePath, signIn } from "../../support/browser.ts";
import type { Answer } from "../../support/http.ts";
import { REDIRECT_URI } from "../../support/world.ts";
import { ask, JudgedBrowser, Unanswered } from "./asking.ts";
import type { Dice } from "./dice.ts";
import { type Family, familyEnded } from "./ledger.ts";
import type { Scene } from "./platform-load.ts";

/** How long the application's tokens may be refreshed again with the same one: the longest that an application can have. */
export const REPEAT_SECONDS = 300;
const TRIES = 8;

/** People: sign in with a browser of their own, and their application redeems the code. */
export async function signInLoad(scene: Scene, dice: Dice): Promise<void> {
  const { ledger, signal, urls, world } = scene;
  while (!signal.aborted) {
    try {
      const browser = new JudgedBrowser(scene, dice.below(urls.length));
      const path = authorizePath(world, { scope: "openid profile email offline_access" });
      const back = await signIn(browser, path, { email: world.email });
      const code = back.searchParams.get("code");
      const error = back.searchParams.get("error");
      if (code !== null) await redeem(scene, dice, code);
      else if (error === "temporarily_unavailable") ledger.count("sign-ins sent back with temporarily_unavailable");
      else ledger.incident(`a sign-in was sent back with ${back.search}`);
    } catch (error) {
      if (!(error instanceof Unanswered)) ledger.incident(String(error).slice(0, 400));
    }
    await sleep(dice.between(100, 600));
  }
}

/** Asks until there is an answer. After a request without one the code may be spent: then a refusal is no incident. */
async function redeem(scene: Scene, dice: Dice, code: string): Promise<void> {
  const { ledger, urls } = scene;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await sleep(dice.between(100, 1_000));
    const answer = await tokenAnswer(scene, dice.below(urls.length), {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
    });
    if (answer === undefined) continue;
    if (answer.status === 200) return void ledger.families.push({ code, ...tokensOf(answer), doubted: attempt > 0 });
    if (attempt === 0) ledger.incident(`a new code was refused: ${answer.status} ${answer.text}`);
    else ledger.count("codes spent by a request without an answer");
    return;
  }
  ledger.count("codes never redeemed");
}

/** Applications: refresh, one request at a time for each family, and read userinfo. */
export async function refreshLoad(scene: Scene, dice: Dice, share: (index: number) => boolean): Promise<void> {
  const { ledger, signal, urls } = scene;
  while (!signal.aborted) {
    const mine = ledger.families.filter((family, index) => share(index) && family.lost !== true).slice(-100);
    if (mine.length > 0) {
      const family = dice.pick(mine);
      if (dice.chance(0.5)) await refresh(scene, family, dice.below(urls.length));
      else await readUserinfo(scene, family, dice.below(urls.length));
    }
    await sleep(dice.between(30, 200));
  }
}

/** One refresh; whether it had an answer. */
export async function refresh(scene: Scene, family: Family, site: number): Promise<boolean> {
  const { ledger } = scene;
  const answer = await tokenAnswer(scene, site, {
    grant_type: "refresh_token",
    refresh_token: family.refreshToken,
  });
  if (answer === undefined) {
    family.doubted = true;
    return false;
  }
  if (answer.status === 200) Object.assign(family, tokensOf(answer));
  else familyEnded(ledger, family, `refresh: ${answer.status} ${answer.text}`);
  return true;
}

async function readUserinfo(scene: Scene, family: Family, site: number): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${family.accessToken}` };
    const answer = await ask(scene, site, "/auth/userinfo", { headers });
    if (answer.status !== 200) familyEnded(scene.ledger, family, `userinfo: ${answer.status} ${answer.text}`);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
}

/** The token endpoint; undefined when it asked to try later, or nothing arrived. */
export async function tokenAnswer(
  scene: Scene,
  site: number,
  parameters: Readonly<Record<string, string>>,
): Promise<Answer | undefined> {
  const { id, secret } = scene.world.application;
  const form = { client_id: id, client_secret: secret, ...parameters };
  try {
    return await ask(scene, site, "/auth/token", { method: "POST", form });
  } catch (error) {
    if (error instanceof Unanswered) return undefined;
    throw error;
  }
}

function tokensOf(answer: Answer): Pick<Family, "refreshToken" | "accessToken"> {
  const { refresh_token, access_token } = answer.json<{ refresh_token: string; access_token: string }>();
  return { refreshToken: refresh_token, accessToken: access_token };
}
