import type { ApiKeyId } from "#runtime/basis/ids.ts";

/**
 * What is remembered of the keys used last, at most `keysMax` of them. One that is forgotten counts as one that was never used, which
 * errs in its favour.
 */
export interface RecentKeys<T> {
  get(key: ApiKeyId): T | undefined;
  set(key: ApiKeyId, value: T): void;
}

export function recentKeys<T>(keysMax: number): RecentKeys<T> {
  // A Map keeps the order of insertion, so the first entry is the one not set for longest.
  const entries = new Map<ApiKeyId, T>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= keysMax) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
