import {
  type FindNamedRequest,
  type FindNamedResponse,
  NamedKind,
  type ReadNamesRequest,
  type ReadNamesResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { EMAIL_LENGTH_MAX } from "#runtime/basis/email-address.ts";
import { parseId } from "#runtime/basis/ids.ts";
import { readFields } from "../request-fields.ts";
import { type FoundKind, type NameRepository, SOURCE_KINDS } from "./name-repository.ts";

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 50;
const IDS_MAX = 500;

const KINDS: Readonly<Partial<Record<NamedKind, FoundKind>>> = {
  [NamedKind.TENANT]: "tenant",
  [NamedKind.PERSON]: "person",
  [NamedKind.USER]: "user",
  [NamedKind.WORKER]: "worker",
  [NamedKind.UNIT_TYPE]: "unitType",
  [NamedKind.UNIT]: "organizationUnit",
  [NamedKind.LOCATION]: "organizationLocation",
  [NamedKind.API_KEY]: "apiKey",
};

/** Kinds whose names are looked for in one tenant only; an e-mail address is looked for everywhere. */
const IN_ONE_TENANT: ReadonlySet<FoundKind> = new Set([
  "user",
  "worker",
  "unitType",
  "organizationUnit",
  "organizationLocation",
]);

interface NamesDeps {
  readonly names: NameRepository;
}

/**
 * Finds what a name may refer to, oldest first (R-X194).
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const findNamed =
  ({ names }: NamesDeps) =>
  async (request: FindNamedRequest): Promise<FindNamedResponse> => {
    const { count, ...filter } = readFields((fields) => {
      const kind = KINDS[request.kind];
      const name = fields.text("name", request.name, EMAIL_LENGTH_MAX);
      const tenantId = fields.optionalId("tenant_id", "tenant", request.tenantId);
      const isAddress = (kind === "user" || kind === "worker") && name.includes("@");
      fields.check(kind !== undefined, "kind", "must be a known kind");
      fields.check(request.limit >= 0 && request.limit <= LIMIT_MAX, "limit", `must be 1 to ${LIMIT_MAX}`);
      fields.check(
        kind === undefined || !IN_ONE_TENANT.has(kind) || isAddress || tenantId !== null,
        "tenant_id",
        "is missing: such names are looked for in one tenant",
      );
      return {
        kind: kind ?? "tenant",
        name,
        tenantId,
        integrationId: fields.optionalId("integration_id", "integration", request.integrationId),
        count: request.limit === 0 ? LIMIT_DEFAULT : request.limit,
      };
    });
    // One more than asked for shows whether there are more.
    const found = await names.find({ ...filter, count: count + 1 });
    return { found: found.slice(0, count), more: found.length > count };
  };

/**
 * Reads the names of what ids refer to, whatever their kinds; unknown ids are omitted.
 * @throws INVALID_ARGUMENT when there are too many.
 */
export const readNames =
  ({ names }: NamesDeps) =>
  async ({ ids }: ReadNamesRequest): Promise<ReadNamesResponse> => {
    readFields((fields) => fields.check(ids.length <= IDS_MAX, "ids", `must have at most ${IDS_MAX} entries`));
    const kinds = Map.groupBy(new Set(ids), (id) => SOURCE_KINDS.find((kind) => parseId(kind, id) !== undefined));
    const read = await Promise.all(
      [...kinds].map(([kind, some]) => (kind === undefined ? [] : names.read(kind, some))),
    );
    return { names: read.flat() };
  };
