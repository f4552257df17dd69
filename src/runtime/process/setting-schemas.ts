import { z } from "zod";

/**
 * A whole number between two bounds, both inclusive; text of digits or a number. The empty text of a bare flag is
 * refused.
 */
export const wholeNumber = (least: number, most: number): z.ZodType<number> =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,15}$/)
          .transform(Number),
      ],
      { error: "must be a whole number" },
    )
    .pipe(
      z
        .number()
        .int("must be a whole number")
        .min(least, `must be at least ${least}`)
        .max(most, `must be at most ${most}`),
    );

/** A switch: true or false, yes or no, 1 or 0; a bare flag of the command line is true. */
export const switchSchema: z.ZodType<boolean> = z
  .union([z.boolean(), z.enum(["true", "false", "yes", "no", "1", "0", ""])], { error: "must be true or false" })
  .transform((given) => given === true || given === "true" || given === "yes" || given === "1" || given === "");

/** A list of the configuration file, or text with commas. */
export const textList = z.union(
  [z.array(z.string()), z.string().transform((text) => text.split(",").map((item) => item.trim()))],
  { error: "must be a list, or text with commas" },
);

/** Text of at least one character. */
export const text: z.ZodType<string> = z.string({ error: "must be text" }).min(1, "must not be empty");
