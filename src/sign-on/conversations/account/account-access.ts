import type { ApplicationId, InstanceId } from "#runtime/basis/ids.ts";

/** An application's access to something about a person on an instance. */
export interface Access {
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
  readonly scopes: readonly string[];
  readonly since: Date;
}

/**
 * One access for each application and instance, by consent, by tokens, or by both: the union of their scopes, from the
 * earlier instant. The latest first.
 */
export function mergedAccesses(parts: readonly Access[]): readonly Access[] {
  const merged = new Map<string, Access>();
  for (const part of parts) {
    const key = `${part.applicationId} ${part.instanceId}`;
    const before = merged.get(key) ?? part;
    const scopes = [...new Set([...before.scopes, ...part.scopes])];
    merged.set(key, { ...before, scopes, since: part.since < before.since ? part.since : before.since });
  }
  return [...merged.values()].sort((one, other) => other.since.getTime() - one.since.getTime());
}
