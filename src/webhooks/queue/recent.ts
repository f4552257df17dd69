/** A map that forgets what was set longest ago when it has more than `most` keys. */
export interface Recent<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

export function rememberRecent<V>(most: number): Recent<V> {
  const values = new Map<string, V>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      // A map keeps the order in which keys were added.
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.size > most ? values.keys() : [];
      if (oldest !== undefined) values.delete(oldest);
    },
    delete: (key) => void values.delete(key),
  };
}
