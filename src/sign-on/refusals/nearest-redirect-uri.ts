import { REDIRECT_URI_LENGTH_MAX } from "./asked.ts";

/** The registered redirect URI that is most like one that was sent. */
export interface Nearest {
  readonly uri: string;
  /** Of the first character that differs, from 0. */
  readonly differsAt: number;
  /** Characters to change, add or leave out to come from one to the other. */
  readonly distance: number;
}

/** The nearest of the registered ones by edit distance, the first of several; `undefined` when there is none. */
export function nearestRedirectUri(registered: readonly string[], sent: string): Nearest | undefined {
  let nearest: Nearest | undefined;
  for (const uri of registered) {
    const distance = editDistance(uri.slice(0, REDIRECT_URI_LENGTH_MAX), sent.slice(0, REDIRECT_URI_LENGTH_MAX));
    if (nearest === undefined || distance < nearest.distance)
      nearest = { uri, distance, differsAt: firstDifference(uri, sent) };
  }
  return nearest;
}

/** Where two texts part; the length of the shorter one when it begins the other. */
export function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at++;
  return at;
}

/** Levenshtein's distance, in the space of one row. */
export function editDistance(one: string, other: string): number {
  const begin = firstDifference(one, other);
  let [oneEnd, otherEnd] = [one.length, other.length];
  while (oneEnd > begin && otherEnd > begin && one[oneEnd - 1] === other[otherEnd - 1]) {
    oneEnd--;
    otherEnd--;
  }
  const [a, b] = [one.slice(begin, oneEnd), other.slice(begin, otherEnd)];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
