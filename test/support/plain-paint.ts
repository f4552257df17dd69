import type { Paint } from "../../src/cli/output/paint.ts";

/** Adds nothing. */
export const plainPaint: Paint = {
  heading: (text) => text,
  label: (text) => text,
  strong: (text) => text,
  wrong: (text) => text,
};
