/** Comparison of two samples by rank (Mann and Whitney 1947). */
export interface RankTest {
  /**
   * Chance that a value of the second sample is greater than one of the first, ties counted half; 0.5 when the samples
   * do not differ.
   */
  readonly superiority: number;
  /** Standard normal under the hypothesis that both come from one distribution. */
  readonly z: number;
  /** Two-sided. */
  readonly p: number;
}

/** Mann–Whitney U with correction for ties, by the normal approximation: for samples of twenty and more. */
export function rankTest(first: readonly number[], second: readonly number[]): RankTest {
  const values = [...first.map((value) => [value, 0] as const), ...second.map((value) => [value, 1] as const)];
  values.sort(([one], [other]) => one - other);
  const count = values.length;
  let rankSum = 0;
  let ties = 0;
  for (let from = 0; from < count; ) {
    let to = from;
    while (to < count && values[to]?.[0] === values[from]?.[0]) to++;
    const rank = (from + 1 + to) / 2;
    rankSum += rank * values.slice(from, to).filter(([, sample]) => sample === 1).length;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const pairs = first.length * second.length;
  const u = rankSum - (second.length * (second.length + 1)) / 2;
  const deviation = Math.sqrt((pairs / 12) * (count + 1 - ties / (count * (count - 1))));
  const z = deviation === 0 ? 0 : (u - pairs / 2) / deviation;
  return { superiority: u / pairs, z, p: 2 * upperTail(Math.abs(z)) };
}

/** Chance of a standard normal value above z ≥ 0; Abramowitz and Stegun 26.2.17, to 7.5e-8. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.max(0, (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum);
}
