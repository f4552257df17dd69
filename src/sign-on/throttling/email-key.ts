/** An entered e-mail address as failures are counted for it: as workforce compares addresses, so that each spelling is one (R-D2). */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase();
