/** Peers that leave audit entries, as a sentence names them. */
const PEERS: Readonly<Record<string, string>> = { operator: "an operator", platform: "the platform" };

/**
 * Who did something, for a sentence: `the platform (platform:jo)`. What is in parentheses finds it in the audit log; a
 * table has that alone.
 */
export function shownActor(actor: string): string {
  const [kind = "", ...account] = actor.split(":");
  const peer = Object.hasOwn(PEERS, kind) ? PEERS[kind] : undefined;
  if (peer === undefined) return actor;
  return account.length === 0 ? peer : `${peer} (${actor})`;
}
