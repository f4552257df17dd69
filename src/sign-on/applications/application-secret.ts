import { newSecret, type Random } from "#runtime/basis/random.ts";

const PREFIX = "ghs_";

/** An application's secret: a prefix that secret scanners can find, and 256 random bits. */
export const newApplicationSecret = (random: Random): string => `${PREFIX}${newSecret(random)}`;

/** Whether a text looks like one of ours, right or not. */
export const isApplicationSecret = (text: string): boolean => text.startsWith(PREFIX);
