/** One check that can refuse a request: by what its refusal is known, and what operators are told about it. */
export interface Check {
  /** `subject.finding`; stays the same, since people search logs for it. */
  readonly name: string;
  /** The public sentence of the refusal. */
  readonly said?: string | RegExp;
  /** Its private half, where the public one says less on purpose. */
  readonly detail?: string;
  /** What was found, for whoever builds the application; the public sentence itself where it says enough. */
  readonly finding?: string;
  /** What to do about it. */
  readonly advice: string;
}
