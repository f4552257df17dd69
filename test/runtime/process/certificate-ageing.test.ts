import { ageingOf } from "../../../src/runtime/process/certificate-ageing.ts";

/** Of both, in hours. */
it.each([
  { valid: 24, left: 6, kind: undefined },
  { valid: 24, left: 5, kind: "soon" },
  { valid: 6 * 24, left: 36, kind: undefined },
  { valid: 6 * 24, left: 35, kind: "soon" },
  { valid: 28 * 24, left: 7 * 24, kind: undefined },
  { valid: 28 * 24, left: 7 * 24 - 1, kind: "soon" },
  { valid: 398 * 24, left: 7 * 24, kind: undefined },
  { valid: 398 * 24, left: 7 * 24 - 1, kind: "soon" },
  { valid: 24, left: 0, kind: "expired" },
  { valid: 24, left: 25, kind: "future" },
])("a certificate for $valid hours is $kind with $left left (R-X126)", ({ valid, left, kind }) => {
  const now = new Date("2026-11-24T10:00:00Z");
  const hence = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect(ageingOf({ validFrom: hence(left - valid), expiresAt: hence(left) }, now, "a-setting")?.kind).toBe(kind);
});
