/** A rule whose tests are judged: in each mutant one detail of its code is changed, and a test has to fail. */
export interface MutationTarget {
  /** What `make mutants TARGET=…` names. */
  readonly name: string;
  /** Globs of the files that are changed. They name no folder that a file could leave. */
  readonly mutate: readonly string[];
  /** Globs of the suites that have to notice. */
  readonly tests: readonly string[];
}

/** The rules that everything else relies on, cheapest first. */
export const MUTATION_TARGETS: readonly MutationTarget[] = [
  {
    name: "pkce",
    mutate: ["src/sign-on/**/pkce.ts"],
    tests: ["test/sign-on/**/pkce.test.ts"],
  },
  {
    name: "webhook-signature",
    mutate: ["src/webhooks/**/signature.ts"],
    tests: ["test/webhooks/**/signature.test.ts"],
  },
  {
    name: "attempt-schedule",
    mutate: ["src/webhooks/**/attempt-schedule.ts"],
    tests: ["test/webhooks/**/attempt-schedule.test.ts"],
  },
  {
    name: "redirect-uri",
    mutate: ["src/sign-on/applications/redirect-uri.ts"],
    tests: ["test/sign-on/applications/redirect-uri.test.ts"],
  },
  {
    name: "address-guard",
    mutate: [
      "src/webhooks/**/public-address.ts",
      "src/webhooks/**/address-guard.ts",
      "src/runtime/basis/ip-address.ts",
    ],
    tests: [
      "test/webhooks/**/public-address.test.ts",
      "test/webhooks/**/address-guard.test.ts",
      "test/webhooks/**/guarded-connector.test.ts",
      "test/webhooks/**/attempt-sender-tls.test.ts",
      "test/webhooks/**/attempt-sender.test.ts",
      "test/webhooks/**/own-trouble.long.test.ts",
      "test/sign-on/throttling/network.test.ts",
    ],
  },
  {
    name: "endpoint-url",
    mutate: ["src/webhooks/**/endpoint-url.ts", "src/webhooks/**/own-listeners.ts"],
    tests: [
      "test/webhooks/**/endpoint-url.test.ts",
      "test/webhooks/endpoints/forbidden-endpoints.test.ts",
      "test/webhooks/**/own-listeners.test.ts",
    ],
  },
  {
    name: "api-key",
    mutate: ["src/workforce/integrations/api-key.ts", "src/workforce/integrations/caller.ts"],
    tests: [
      "test/workforce/integrations/api-key.test.ts",
      "test/workforce/integrations/api-keys-service.test.ts",
      "test/workforce/integrations/caller.test.ts",
      "test/workforce/integrations/api-key-uses.test.ts",
      "test/workforce/gateway-refusals/gateway-refusals.test.ts",
      "test/workforce/gateway/key-matrix.long.test.ts",
      "test/workforce/gateway/rate-limit.test.ts",
    ],
  },
  {
    name: "access-token",
    mutate: ["src/sign-on/access-tokens/verify-access-token.ts"],
    tests: ["test/sign-on/access-tokens/verify-access-token.test.ts"],
  },
  {
    name: "refresh-token",
    mutate: ["src/sign-on/refresh-tokens/refresh-token.ts"],
    tests: ["test/sign-on/refresh-tokens/*.test.ts"],
  },
  {
    name: "throttle",
    mutate: ["src/sign-on/throttling/throttle.ts", "src/sign-on/throttling/device-proofs-service.ts"],
    tests: ["test/sign-on/throttling/*.test.ts"],
  },
  {
    name: "refresh-grant",
    mutate: ["src/sign-on/refresh-tokens/token-families-service.ts", "src/sign-on/**/refresh-token-grant.ts"],
    tests: ["test/sign-on/**/token-refresh*.test.ts", "test/sign-on/**/token-late.test.ts"],
  },
  {
    name: "throttling",
    mutate: ["src/sign-on/throttling/throttling-service.ts", "src/sign-on/throttling/throttle-repository.ts"],
    tests: ["test/sign-on/throttling/throttling-service.test.ts"],
  },
];
