/** Index of the first difference of two texts; the length of the shorter one when the other begins with it. */
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
