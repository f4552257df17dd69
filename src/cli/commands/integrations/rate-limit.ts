import { InvalidArgumentError } from "commander";
import type { RateLimit } from "#generated/proto/gatehouse/workforce/v1/operator.ts";

/** Reads `20/40`, requests a second and at once, or `none`. Whether the numbers are allowed is not decided here. @throws InvalidArgumentError */
export function parseRateLimit(text: string): RateLimit {
  if (text === "none") return { perSecond: 0, burst: 0 };
  const [, perSecond, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (perSecond === undefined || burst === undefined)
    throw new InvalidArgumentError("It must be requests a second and at once, like 20/40, or none.");
  return { perSecond: Number(perSecond), burst: Number(burst) };
}

/** A key's own limit as it is given; `default` where the installation's holds. */
export function toRateLimit(rateLimit: RateLimit | null): string {
  if (rateLimit === null) return "default";
  return rateLimit.perSecond === 0 ? "none" : `${rateLimit.perSecond}/${rateLimit.burst}`;
}
