import { availableParallelism } from "node:os";
import { z } from "zod";
import { wholeNumber } from "#runtime/process/setting-schemas.ts";
import { defineSettings, setting, type Values } from "#runtime/process/settings.ts";

/** An origin without a path, as issuers and public addresses are (R-D7). */
const originSchema = z
  .string({ error: "must be text" })
  .refine((text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text), {
    error: "must be an origin without a path or trailing slash, like https://sign-on.example",
  });

const CONTACT_LENGTH_MAX = 254;

/** Whom to ask for help: an e-mail address, or the address of a page, which is normalized. */
const supportContactSchema: z.ZodType<string> = z
  .string({ error: "must be text" })
  .refine((text) => text.length <= CONTACT_LENGTH_MAX && (z.email().safeParse(text).success || isPlainLink(text)), {
    error: "must be an e-mail address, like help@company.example, or an https link",
  })
  .transform((text) => (text.includes("://") ? new URL(text).href : text));

/** An https address without spaces, name and password. */
const isPlainLink = (text: string): boolean => {
  const url = URL.parse(text);
  return /^https:\/\/[^/]/i.test(text) && !/\s/.test(text) && url !== null && url.username + url.password === "";
};

export const signOnSettings = defineSettings({
  issuer: setting<string | undefined>({
    schema: originSchema,
    fallback: undefined,
    meaning:
      "The issuer: the public origin of the sign-on server. With the development switch http://localhost:<public-port> is the default.",
    neededBy: ["edge", "services"],
  }),
  "support-contact": setting<string | undefined>({
    schema: supportContactSchema,
    fallback: undefined,
    meaning:
      "Whom people ask who cannot sign in: an e-mail address or an https link. Sign-in pages show it after a failure, on links that no longer work, and on error pages; without it they name the administrator of the person's company.",
    neededBy: ["edge"],
  }),
  "session-idle-minutes": setting({
    schema: wholeNumber(1, 43_200),
    fallback: 480,
    unit: "minutes",
    meaning: "A sign-in session ends after so long without use.",
    neededBy: ["services"],
  }),
  "session-absolute-minutes": setting({
    schema: wholeNumber(1, 525_600),
    fallback: 1_440,
    unit: "minutes",
    meaning: "A sign-in session ends so long after the sign-in, used or not.",
    neededBy: ["services"],
  }),
  "password-memory-kib": setting({
    schema: wholeNumber(19_456, 1_048_576),
    fallback: 19_456,
    unit: "KiB",
    meaning:
      "Memory that one argon2id password hash takes (OWASP's floor is 19456 with two passes). A lower value is for new passwords: while a costlier hash is stored, each check of a password takes as much work as that one.",
    neededBy: ["services"],
  }),
  "password-passes": setting({
    schema: wholeNumber(1, 20),
    fallback: 2,
    meaning: "Passes of one argon2id password hash.",
    neededBy: ["services"],
  }),
  "password-hash-concurrency": setting({
    schema: wholeNumber(1, 64),
    // Leaves one core for everything else, and one of the four threads of libuv's pool for signatures, files, names and flushes.
    fallback: Math.max(1, Math.min(3, availableParallelism() - 1)),
    meaning:
      "How many passwords are hashed at once. The threads are shared with signatures, file and name look-ups and the flushes of the embedded store: keep it below their number, which is 4 or UV_THREADPOOL_SIZE.",
    neededBy: ["services"],
  }),
  "password-hash-queue": setting({
    schema: wholeNumber(0, 10_000),
    fallback: 64,
    meaning:
      "How many sign-ins may wait for their password to be hashed; further ones are rejected with a request to try again, first those of the network with the most. Networks take turns, IPv6 networks of 48 bits as one.",
    neededBy: ["services"],
  }),
  "sign-in-failures-per-email": setting({
    schema: wholeNumber(0, 1_000),
    fallback: 5,
    meaning:
      "How many failed sign-ins with one e-mail address, known or not, cost no wait; one is forgotten each half hour. Further ones cost 10 seconds, 20, 40 … 0 switches this off.",
    neededBy: ["services"],
  }),
  "sign-in-failures-per-network": setting({
    schema: wholeNumber(0, 100_000),
    fallback: 100,
    meaning:
      "How many failed sign-ins from one IPv4 address or one IPv6 network of 64 bits cost no wait; one is forgotten each ten seconds. Further ones cost 10 seconds, 20, 40, 60. An IPv6 network of 48 bits has ten times as many, and forgets one each second. 0 switches this off.",
    neededBy: ["services"],
  }),
  "sign-in-longest-wait-seconds": setting({
    schema: wholeNumber(1, 3_600),
    fallback: 900,
    unit: "seconds",
    meaning: "No wait after failed sign-ins is longer. There is no lock beyond it.",
    neededBy: ["services"],
  }),
  "sign-in-unproven-minutes": setting({
    schema: wholeNumber(1, 60),
    fallback: 20,
    unit: "minutes",
    meaning: "How long an open sign-in waits for a password; with the password it lasts an hour in all.",
    neededBy: ["services"],
  }),
  "sign-ins-unproven-per-network": setting({
    schema: wholeNumber(10, 1_000_000),
    fallback: 2_000,
    meaning:
      "How many open sign-ins without an entered password each process keeps for one IPv4 address or one IPv6 network of 64 bits, and how many requests for sign-out that wait for an answer; one more replaces the oldest.",
    neededBy: ["services"],
  }),
  "sign-ins-unproven": setting({
    schema: wholeNumber(100, 10_000_000),
    fallback: 100_000,
    meaning:
      "How many such sign-ins, and how many such requests for sign-out, each process keeps in all; one more replaces the oldest of the IPv4 address, or IPv6 network of 48 bits, with the most. Each takes up to 10 kB of the store.",
    neededBy: ["services"],
  }),
  "jwks-max-age-seconds": setting({
    schema: wholeNumber(0, 86_400),
    fallback: 300,
    unit: "seconds",
    meaning: "How long applications may cache the public keys and the discovery document.",
    neededBy: ["edge", "services"],
  }),
  "access-token-algorithm": setting<"ES256" | "RS256">({
    schema: z.enum(["ES256", "RS256"], { error: "must be ES256 or RS256" }),
    fallback: "ES256",
    meaning:
      "What access tokens are signed with: ES256, or RS256 for resource servers that support nothing else, at about ten times the work. ID tokens are RS256 always.",
    neededBy: ["services"],
  }),
  "signing-key-rotation-days": setting({
    schema: wholeNumber(0, 3_650),
    fallback: 90,
    unit: "days",
    meaning: "How long a signing key signs before its successor does; 0: until an operator rotates.",
    neededBy: ["services"],
  }),
  "signing-key-publish-minutes": setting({
    schema: wholeNumber(2, 43_200),
    fallback: 1_440,
    unit: "minutes",
    meaning:
      "How long, after the time for which the public keys may be cached, a new signing key is published before it signs: for applications that cache longer than cache-control allows.",
    neededBy: ["services"],
  }),
  "signing-key-retiring-hours": setting({
    schema: wholeNumber(25, 8_760),
    fallback: 48,
    unit: "hours",
    meaning: "How long a signing key stays published after it stops signing. No token lives longer than 24 hours.",
    neededBy: ["services"],
  }),
});

export type SignOnSettings = Values<typeof signOnSettings>;
