/** Peers that leave audit entries, as a sentence names them. */
const PEERS: Readonly<Record<string, string>> = { operator: "an operator", platform: "the platform" };

/**
 * Who did something, for a sentence: `the platform (account jo)`. A table has the actor as the audit log has it:
 * `platform:jo`.
 */
export function shownActor(actor: string): string {
  const [kind = "", ...account] = actor.split(":");
  const peer = Object.hasOwn(PEERS, kind) ? PEERS[kind] : undefined;
  if (peer === undefined) return actor;
  return account.length === 0 ? peer : `${peer} (account ${account.join(":")})`;
}
