import { editDistance } from "#runtime/basis/edit-distance.ts";
import { commandError, EXIT } from "../../output/command-error.ts";

/** Actions that the audit log may name. */
export const AUDIT_ACTIONS: readonly string[] = [
  "accessRole.create",
  "accessRole.update",
  "accessToken.revoke",
  "apiKey.issue",
  "apiKey.revoke",
  "application.addRedirectUri",
  "application.create",
  "application.delete",
  "application.disable",
  "application.enable",
  "application.endPreviousSecret",
  "application.removeRedirectUri",
  "application.rotateSecret",
  "application.update",
  "authorization.refuse",
  "authorizationCode.expire",
  "consent.grant",
  "consent.withdraw",
  "delivery.cancel",
  "delivery.cancelSuspended",
  "delivery.release",
  "delivery.resend",
  "delivery.revealBody",
  "import.store",
  "instance.create",
  "instance.update",
  "instanceIntegration.configure",
  "instanceIntegration.create",
  "instanceIntegration.revoke",
  "instanceIntegration.unconfigure",
  "integration.create",
  "integration.update",
  "location.create",
  "location.delete",
  "password.refuse",
  "password.rehash",
  "password.set",
  "passwordLink.create",
  "person.confirmEmail",
  "person.disable",
  "person.enable",
  "person.erase",
  "person.setLastLoginContext",
  "person.signOutEverywhere",
  "person.update",
  "recovery.cancel",
  "recovery.finish",
  "recovery.pause",
  "recovery.resume",
  "recovery.start",
  "session.end",
  "session.endAll",
  "signIn.refuse",
  "signIn.succeed",
  "signIn.throttle",
  "signingKey.activate",
  "signingKey.askRotation",
  "signingKey.create",
  "signingKey.retire",
  "signingKey.revoke",
  "store.backUp",
  "store.reseal",
  "store.restore",
  "subscription.confirmEndpoint",
  "subscription.create",
  "subscription.delete",
  "subscription.disable",
  "subscription.enable",
  "subscription.pause",
  "subscription.ping",
  "subscription.refuseEndpoint",
  "subscription.resume",
  "subscription.revokeSecret",
  "subscription.rotateSecret",
  "subscription.signTestMessages",
  "subscription.triggerTestEvent",
  "subscription.update",
  "tenant.create",
  "tenant.erase",
  "tenant.update",
  "token.explain",
  "tokenFamily.revoke",
  "unit.create",
  "unit.erase",
  "unit.update",
  "unitType.create",
  "unitType.erase",
  "unitType.update",
  "user.assignManager",
  "user.assignRole",
  "user.delete",
  "user.disable",
  "user.editPermissions",
  "user.enable",
  "user.erase",
  "user.invite",
  "user.signIn",
  "worker.end",
  "worker.erase",
  "worker.onboard",
  "worker.update",
];

const SUGGESTED_MAX = 3;

/** Every action, or `noun.*`, is known. @throws CommandError for any other, with those that are most like it. */
export function assertAction(given: string): void {
  const nouns = new Set(AUDIT_ACTIONS.map((action) => `${nounOf(action)}.*`));
  const known = given.endsWith(".*") ? [...nouns] : AUDIT_ACTIONS;
  if (known.includes(given)) return;
  const near = known
    .map((action) => ({ action, distance: distanceOf(action, given) }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, SUGGESTED_MAX);
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "audit_action_unknown",
    message: `There is no action ${given}.`,
    fix: `The most like it: ${near.map(({ action }) => action).join(", ")}`,
  });
}

/** The same verb of another noun, as in people.disable, is as near as a word with a mistake. */
function distanceOf(action: string, given: string): number {
  const whole = editDistance(action.toLowerCase(), given.toLowerCase());
  return verbOf(action) === verbOf(given) && !given.endsWith(".*")
    ? editDistance(nounOf(action), nounOf(given))
    : whole;
}

const nounOf = (action: string): string => action.slice(0, action.indexOf("."));
const verbOf = (action: string): string => action.slice(action.indexOf(".") + 1);
