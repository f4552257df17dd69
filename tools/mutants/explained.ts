/** Changes of one file that no test notices, and why none has to. */
export interface ExplainedMutants {
  /** The file's name, without its folder. */
  readonly file: string;
  readonly because: string;
  /** What the source has and what the mutant has instead, each in one line. Lines and columns may move. */
  readonly changes: readonly (readonly [code: string, replacement: string])[];
}

/** What Stryker puts in the place of an empty text, and of an empty list. */
const TEXT = '"Stryker was here!"';
const LIST = '["Stryker was here"]';

const IS_OURS = "(await families.find(place.number))?.current.digest.equals(successor.digest) === true";
const MAY_BE_DONE = `mayBeDone && ${IS_OURS}`;

const PRIVATE_REASON = "A private reason for our log. Callers get one sentence whatever is wrong; its wording is free.";

export const EXPLAINED_MUTANTS: readonly ExplainedMutants[] = [
  {
    file: "attempt-schedule.ts",
    because:
      "Without a Retry-After the parser finds neither digits nor a date in `undefined`, and the answer is 0 as well.",
    changes: [["retryAfter === undefined", "false"]],
  },
  {
    file: "refresh-token.ts",
    because:
      "A later token has no successor that is the current one, and an equal place was answered before: it saves work alone.",
    changes: [
      ["place.generation > generation", "false"],
      ["place.generation > generation", "place.generation >= generation"],
    ],
  },
  {
    file: "refresh-token-grant.ts",
    because:
      "Only PostgreSQL can commit without an answer, and mutants are run on SQLite. test/sign-on/lost-answers.test.ts notices them.",
    changes: [
      [MAY_BE_DONE, "false"],
      [MAY_BE_DONE, MAY_BE_DONE.replace("&&", "||")],
      [IS_OURS, "true"],
      [IS_OURS, IS_OURS.replace("===", "!==")],
      ["(await families.find(place.number))?.current", "(await families.find(place.number)).current"],
      ["true", "false"],
    ],
  },
  {
    file: "refresh-token-grant.ts",
    because: "A fallback for the compiler: a replaced token has a replacement.",
    changes: [["replacement !== undefined", "true"]],
  },
  {
    file: "redirect-uri.ts",
    because: "What is like a loopback address without its port is one too: it saves work alone.",
    changes: [["!LOOPBACK.test(added.uri)", "false"]],
  },
  {
    file: "redirect-uri.ts",
    because: "Both sides of the comparison get the same text in place of a path that is not there.",
    changes: [['""', TEXT]],
  },
  {
    file: "device-proofs-service.ts",
    because: "A block that returns nothing returns `undefined` too.",
    changes: [["{ return undefined; }", "{}"]],
  },
  {
    file: "throttling-service.ts",
    because: "A password has earned nothing where there is no proof: the next condition says so, too.",
    changes: [["proof !== undefined", "true"]],
  },
  {
    file: "address-guard.ts",
    because: "Node ignores the addresses that come with an error.",
    changes: [["[]", LIST]],
  },
  {
    file: "verify-access-token.ts",
    because: PRIVATE_REASON,
    changes: [
      ['"too long for a token of ours"', '""'],
      ['"not a canonical compact JWS"', '""'],
      ['"scope or jti is no text"', '""'],
      ['"iat or exp is no second"', '""'],
      ['"the claims do not fit the family"', '""'],
    ],
  },
  {
    file: "verify-access-token.ts",
    because: "jose refuses algorithms that are not on the list, parts that are missing and empty parts by itself.",
    changes: [
      ["algorithm === undefined", "false"],
      ["parts.length === 3", "true"],
      ['part !== ""', "true"],
      ['""', TEXT],
    ],
  },
  {
    file: "verify-access-token.ts",
    because: "Each claim of the list has a check of its own besides: by jose, by its type, or against the family.",
    changes: [['["iss", "sub", "aud", "client_id", "scope", "iat", "exp", "jti"]', "[]"]],
  },
  {
    file: "api-key.ts",
    because:
      "Fallbacks for the compiler: an index below the length, and texts that the form refuses like the empty one.",
    changes: [['""', TEXT]],
  },
  {
    file: "caller.ts",
    because: "No digest equals the one that unknown keys are compared with, so the other condition refuses them.",
    changes: [["found === undefined", "false"]],
  },
  {
    file: "caller.ts",
    because: "A fallback for the compiler: every method is one of the definition.",
    changes: [["definition[name]?.responseStream", "definition[name].responseStream"]],
  },
];
