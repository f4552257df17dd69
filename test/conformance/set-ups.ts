import { ACCOUNT_OPERATIONS, accountSetUp } from "./account-set-ups.ts";
import type { Case } from "./cases.ts";
import { gatewaySetUp } from "./gateway-set-ups.ts";
import type { Installations } from "./installations.ts";
import { logoutSetUp } from "./logout-set-ups.ts";
import { pageSetUp } from "./page-set-ups.ts";
import type { SetUp } from "./set-up.ts";
import { tokenSetUp } from "./token-set-ups.ts";

const TOKEN_OPERATIONS = [
  "exchangeToken",
  "revokeToken",
  "introspectToken",
  "getUserinfo",
  "postUserinfo",
  "getOpenidConfiguration",
  "getAuthorizationServerMetadata",
  "getJwks",
];
const LOGOUT_OPERATIONS = ["logout", "submitLogout", "showSignOut", "submitSignOut", "showSignedOut"];

/**
 * How a case is brought about.
 * @throws Error when it has no set-up.
 */
export async function setUpOf(one: Case, installations: Installations): Promise<SetUp> {
  const setUp = await found(one, installations);
  if (setUp === undefined) throw new Error(`${one.name} has no set-up: test/conformance/*-set-ups.ts`);
  return setUp;
}

function found(one: Case, installations: Installations): Promise<SetUp | undefined> {
  if (one.api === "Gateway") return gatewaySetUp(one, installations);
  if (ACCOUNT_OPERATIONS.includes(one.operationId)) return accountSetUp(one, installations);
  if (LOGOUT_OPERATIONS.includes(one.operationId)) return logoutSetUp(one, installations);
  return (TOKEN_OPERATIONS.includes(one.operationId) ? tokenSetUp : pageSetUp)(one, installations);
}
