/** One look at the running product: each quantity with its value. */
export interface Sample {
  /** Seconds since the beginning of the run. */
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

/** How much a quantity may grow and still be flat. */
export interface Allowance {
  /** Of its mean, over all that is looked at. */
  readonly part: number;
  /** For small quantities; the larger of both counts. */
  readonly least: number;
}

/** What became of one quantity after the warm-up. */
export interface Course {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly mean: number;
  /** How much it grew from the beginning to the end of what is looked at, by the line that fits best. */
  readonly growth: number;
  readonly isFlat: boolean;
}

/**
 * The course of each quantity since `fromSecond`: a straight line is laid through its samples, so that neither a sweep just before the
 * end nor a peak decides. What shrinks is flat.
 */
export function coursesOf(
  samples: readonly Sample[],
  fromSecond: number,
  allowanceOf: (name: string) => Allowance,
): readonly Course[] {
  const looked = samples.filter(({ at }) => at >= fromSecond);
  const names = new Set(looked.flatMap(({ values }) => [...values.keys()]));
  return [...names].map((name) => {
    const points = looked.flatMap(({ at, values }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ at, value }];
    });
    const values = points.map(({ value }) => value);
    const mean = meanOf(values);
    const growth = slopeOf(points) * ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0));
    const { part, least } = allowanceOf(name);
    return {
      ...{ name, mean, growth },
      ...{ first: values[0] ?? 0, last: values.at(-1) ?? 0, most: Math.max(0, ...values) },
      isFlat: growth <= Math.max(least, mean * part),
    };
  });
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** By least squares, per second. */
function slopeOf(points: readonly { readonly at: number; readonly value: number }[]): number {
  const atMean = meanOf(points.map(({ at }) => at));
  const valueMean = meanOf(points.map(({ value }) => value));
  const square = points.reduce((sum, { at }) => sum + (at - atMean) ** 2, 0);
  if (square === 0) return 0;
  return points.reduce((sum, { at, value }) => sum + (at - atMean) * (value - valueMean), 0) / square;
}
