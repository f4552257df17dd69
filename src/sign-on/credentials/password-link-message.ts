import { PasswordLinkPurpose as PurposeMessage } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { PasswordLinkPurpose } from "./password-link.ts";

const PURPOSES: Readonly<Record<PasswordLinkPurpose, PurposeMessage>> = {
  invitation: PurposeMessage.PASSWORD_LINK_PURPOSE_INVITATION,
  reset: PurposeMessage.PASSWORD_LINK_PURPOSE_RESET,
};

export const toPurposeMessage = (purpose: PasswordLinkPurpose): PurposeMessage => PURPOSES[purpose];

/** `undefined` for a purpose that we do not know. */
export const parsePurpose = (message: PurposeMessage): PasswordLinkPurpose | undefined =>
  message === PURPOSES.invitation ? "invitation" : message === PURPOSES.reset ? "reset" : undefined;
