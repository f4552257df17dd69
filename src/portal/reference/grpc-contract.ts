/** The platform's protos as the reference draws them; `make generate` reads them from their descriptors (R-X216). */
export interface GrpcContract {
  readonly title: string;
  readonly version: string;
  /** Markdown, as every `says` here. */
  readonly description: string;
  readonly services: readonly GrpcService[];
  /** By full name. */
  readonly messages: Readonly<Record<string, GrpcMessage>>;
  /** By full name. */
  readonly enums: Readonly<Record<string, GrpcEnum>>;
}

export interface GrpcService {
  readonly name: string;
  /** With the package. */
  readonly fullName: string;
  readonly says: string;
  readonly methods: readonly GrpcMethod[];
}

export interface GrpcMethod {
  readonly name: string;
  readonly says: string;
  /** Full name of a message. */
  readonly request: string;
  readonly requestStream: boolean;
  /** Full name of a message. */
  readonly response: string;
  readonly responseStream: boolean;
}

export interface GrpcMessage {
  readonly name: string;
  readonly says: string;
  readonly fields: readonly GrpcField[];
}

export interface GrpcField {
  readonly name: string;
  readonly says: string;
  /** A scalar's word, or the name of a message or enum without its package. */
  readonly type: string;
  /** Full name of the message or enum, when it is one of ours. */
  readonly of?: string;
  readonly repeated: boolean;
  /** Whether absent and empty differ. */
  readonly optional: boolean;
  /** Name of the group of which one field at most is set. */
  readonly oneOf?: string;
}

export interface GrpcEnum {
  readonly name: string;
  readonly says: string;
  readonly words: readonly { readonly name: string; readonly says: string }[];
}

/** A kind of failure that the comments name. */
export interface GrpcFailure {
  /** What `gatehouse-reason` says. */
  readonly reason: string;
  /** The status of gRPC. */
  readonly status: string;
  /** The services or methods that name it. */
  readonly named: readonly string[];
}

/** A status of gRPC, the words in brackets behind it, or the end of a sentence. */
const SAID = /\b([A-Z]+(?:_[A-Z]+)+)\b|\(([^)]*)\)|\.(?=\s|$)/g;

/** `ALREADY_EXISTS (user_exists)`, `FAILED_PRECONDITION (unit_cycle) when …, (unit_erased) when …`: a status is said once in a sentence. */
function failuresIn(says: string): readonly Pick<GrpcFailure, "reason" | "status">[] {
  let status: string | undefined;
  return [...says.matchAll(SAID)].flatMap(([, word, bracket = ""]) => {
    if (bracket === "") status = word;
    const known = status;
    return known === undefined
      ? []
      : (bracket.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).map((reason) => ({ reason, status: known }));
  });
}

/** Every kind of failure that the comments of services and methods name, sorted by its word. */
export function failuresOf({ services }: GrpcContract): readonly GrpcFailure[] {
  const named = services.flatMap(({ name, says, methods }) => [
    { name, says },
    ...methods.map((method) => ({ name: method.name, says: method.says })),
  ]);
  const found = named.flatMap(({ name, says }) => failuresIn(says).map((failure) => ({ ...failure, name })));
  return [...Map.groupBy(found, ({ reason }) => reason)]
    .map(([reason, all]) => ({
      reason,
      status: all[0]?.status ?? "",
      named: [...new Set(all.map(({ name }) => name))],
    }))
    .toSorted((one, other) => (one.reason < other.reason ? -1 : 1));
}
