import { companyLines, type SeedLine } from "./made-company.ts";
import { seededNumbers } from "./seeded-numbers.ts";

/** Size of the made-up data. */
export interface SeedSize {
  readonly seed: string;
  readonly tenants: number;
  /** In all tenants together. */
  readonly workers: number;
}

/** A made-up workforce, line by line; the same for the same size. It is not retained in memory. */
export function* seedLines({ seed, tenants, workers }: SeedSize): Generator<SeedLine> {
  const numbers = seededNumbers(`${seed} instance`);
  const instanceId = numbers.id("instance");
  yield { kind: "instance", id: instanceId, name: `Seed ${seed}`, createdAt: "2019-01-01T00:00:00.000Z" };
  let made = 0;
  for (let index = 0; index < tenants; index++) {
    const share = shareOf(index, { tenants, workers, made }, numbers.whole(1_000) / 1_000);
    made += share;
    yield* companyLines({ seed, index, instanceId, workers: share });
  }
}

/** Between 50 % and 150 % of the average; the last tenant gets the rest. */
function shareOf(
  index: number,
  { tenants, workers, made }: { readonly tenants: number; readonly workers: number; readonly made: number },
  part: number,
): number {
  const left = workers - made;
  if (index === tenants - 1) return left;
  return Math.min(left, Math.round((left / (tenants - index)) * (0.5 + part)));
}
