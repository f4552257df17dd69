/** A person given by id or by e-mail address, as requests have it; what is neither is refused as an id. */
export const personKey = (given: string): { $case: "email" | "personId"; value: string } =>
  given.includes("@") ? { $case: "email", value: given } : { $case: "personId", value: given };
