import { EVENT_TYPES } from "#generated/event-types.ts";
import type { GetInstanceIntegrationResponse } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import { patternProblem } from "../deliveries/event-type-pattern.ts";
import { type EndpointRules, endpointUrlProblem } from "../endpoints/endpoint-url.ts";
import { parseSigningSecret } from "../secrets/signing-secret.ts";
import { headerViolations, type WantedHeader } from "./extra-headers.ts";
import { EVENT_TYPES_MAX, TENANTS_MAX } from "./request-limits.ts";
import { labelProblem } from "./subscription.ts";

const DESCRIPTION_LENGTH_MAX = 200;

/** The fields that a request to create or to update may have. */
interface CheckedFields {
  readonly label: string;
  readonly instanceIntegrationId: string;
  readonly endpointUrl: string;
  readonly eventTypes: readonly string[];
  readonly tenantIds: readonly string[];
  readonly description: string;
  readonly extraHeaders: readonly WantedHeader[];
  readonly signingSecret: string | null | undefined;
}

interface CheckedAgainst {
  readonly endpoints: EndpointRules;
  /** Names of the extra headers that have a value already. */
  readonly headerNames: readonly string[];
}

type Check<F extends keyof CheckedFields> = (value: CheckedFields[F], against: CheckedAgainst) => FieldViolation[];

const one = (field: string, problem: string | undefined): FieldViolation[] =>
  problem === undefined ? [] : [{ field, reason: problem }];

const CHECKS: { readonly [F in keyof CheckedFields]: Check<F> } = {
  label: (label) => one("label", labelProblem(label)),
  instanceIntegrationId: (id) => idViolations("instanceIntegration", "instance_integration_id", id),
  endpointUrl: (url, { endpoints }) => (url === "" ? [] : one("endpoint_url", endpointUrlProblem(url, endpoints))),
  eventTypes: (patterns) => [
    ...(patterns.length === 0 || patterns.length > EVENT_TYPES_MAX
      ? one("event_types", `must be 1 to ${EVENT_TYPES_MAX}`)
      : []),
    ...patterns
      .slice(0, EVENT_TYPES_MAX)
      .flatMap((pattern, index) => one(`event_types[${index}]`, patternProblem(pattern, EVENT_TYPES))),
  ],
  tenantIds: (ids) => [
    ...(ids.length > TENANTS_MAX ? one("tenant_ids", `must be at most ${TENANTS_MAX}`) : []),
    ...ids.slice(0, TENANTS_MAX).flatMap((id, index) => idViolations("tenant", `tenant_ids[${index}]`, id)),
  ],
  description: (text) => one("description", descriptionProblem(text)),
  extraHeaders: (headers, { headerNames }) => headerViolations(headers, headerNames),
  signingSecret: (secret) => one("signing_secret", secretProblem(secret)),
};

/** Control characters, ends of lines, and marks that change the direction of what follows. */
const NOT_ON_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** The length is in characters, as the contract counts them. */
function descriptionProblem(text: string): string | undefined {
  if (!hasAtMost(text, DESCRIPTION_LENGTH_MAX)) return `must be at most ${DESCRIPTION_LENGTH_MAX} characters`;
  if (NOT_ON_A_LINE.test(text))
    return "must be one line, without control characters and marks that change the direction of text";
  return undefined;
}

/** What is wrong with a secret of the receiver's own, or `undefined` (R-X273). */
export function secretProblem(secret: string | null | undefined): string | undefined {
  if (secret === null || secret === undefined) return undefined;
  try {
    parseSigningSecret(secret);
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return "must be whsec_ and standard base64, with padding, of 24 to 64 bytes";
  }
}

/** What is wrong with the named fields, all at once; the order is that of the names. */
export const fieldViolations = (
  names: readonly (keyof CheckedFields)[],
  fields: Partial<CheckedFields>,
  against: CheckedAgainst,
): FieldViolation[] =>
  names.flatMap((name) => {
    const check = CHECKS[name] as Check<typeof name>;
    return check(fields[name] as never, against);
  });

/** What is wrong with the tenants of a subscription that its instance does not have: nothing would ever be sent of them (R-X354). */
export function unknownTenantViolations(
  tenantIds: readonly string[],
  { unknownTenantIds }: Pick<GetInstanceIntegrationResponse, "unknownTenantIds">,
): FieldViolation[] {
  const unknown = new Set(unknownTenantIds);
  return tenantIds.flatMap((id, index) =>
    unknown.has(id) ? [{ field: `tenant_ids[${index}]`, reason: "must be one of the subscription's instance" }] : [],
  );
}
