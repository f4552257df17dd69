/** A member of a header that lists what a client accepts: a value, its parameters, and how much it is wanted. */
interface WeightedMember {
  /** In lower case. */
  readonly value: string;
  /** Parameters except the weight, as sent. */
  readonly parameters: readonly string[];
  /** From 0, which is "not at all", to 1. */
  readonly weight: number;
}

/** RFC 9110 §12.4.2. */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Reads a list of Accept, Accept-Encoding or Accept-Language (RFC 9110 §12.5), in its order. A member without a weight
 * has 1; one without a value or with a malformed weight is ignored.
 */
export const parseWeightedList = (header: string): readonly WeightedMember[] =>
  header.split(",").flatMap((member) => {
    const [value = "", ...all] = member.split(";").map((part) => part.trim());
    const at = all.findIndex((parameter) => /^q=/i.test(parameter));
    const weight = at < 0 ? "1" : WEIGHT.exec(all[at] ?? "")?.[1];
    if (value === "" || weight === undefined) return [];
    return [{ value: value.toLowerCase(), parameters: all.filter((_, index) => index !== at), weight: Number(weight) }];
  });
