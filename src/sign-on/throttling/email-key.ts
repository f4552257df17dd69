/**
 * The key under which failures with an e-mail address are counted: normalized as workforce compares addresses, so that
 * all spellings share one (R-D2).
 */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase();
