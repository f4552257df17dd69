import type { PasswordLinkPurpose } from "../../../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { Browser } from "../../../support/browser.ts";
import { invitation, present, type World } from "../../../support/world.ts";
import type { SignOn } from "../../sign-on-fixture.ts";

export const NEW_PASSWORD = "seven quiet herons at dawn";

const PURPOSES = {
  invitation: "PASSWORD_LINK_PURPOSE_INVITATION",
  reset: "PASSWORD_LINK_PURPOSE_RESET",
} as const satisfies Record<string, PasswordLinkPurpose>;

/** A link for a person as operators make it, and the path of its page. */
export async function linkFor({ people }: SignOn, personId: string, purpose: keyof typeof PURPOSES = "reset") {
  const key = { $case: "personId", value: personId } as const;
  const { link } = await people.createPasswordLink({ key, purpose: PURPOSES[purpose] });
  const { pathname, search, searchParams } = new URL(link);
  return { link, path: `${pathname}${search}`, token: searchParams.get("token") ?? "" };
}

/** An invited person without a password and without a confirmed address. */
export async function invited({ platform }: SignOn, world: World, email: string): Promise<World> {
  const { user } = await platform.inviteUser(invitation(world.tenantId, email, { emailVerified: false }));
  return { ...world, email, personId: present(present(user).person).id, userId: present(user).id };
}

/** Opens a link and sends its form. */
export async function choose(signOn: SignOn, path: string, password: string = NEW_PASSWORD, again: string = password) {
  const browser = new Browser(signOn.url);
  const page = await browser.open(path);
  const { answer } = await browser.submit(page, { password, password_again: again });
  return { browser, page, answer };
}
