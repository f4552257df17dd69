/** First name, space, last name; the one there is when the other is null; null when both are (R-D2). */
export function fullName(firstName: string | null | undefined, lastName: string | null | undefined): string | null {
  // Nearly everybody has both; lists are full of them.
  if (firstName && lastName) return `${firstName} ${lastName}`;
  const names = [firstName, lastName].filter((name) => name !== null && name !== undefined && name !== "");
  return names.length === 0 ? null : names.join(" ");
}
