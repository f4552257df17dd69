import type { GetPersonResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { SignOnSession } from "./session-repository.ts";

/**
 * True for a session of somebody who is disabled, or was since the password was entered (R-X93). The store does not know; whoever acts on a
 * session, or shows one, asks workforce and this.
 */
export const isSessionOver = (
  { authenticatedAt }: Pick<SignOnSession, "authenticatedAt">,
  { disabled, enabledAt }: Pick<GetPersonResponse, "disabled" | "enabledAt">,
): boolean => disabled || (enabledAt instanceof Date && authenticatedAt < enabledAt);
