import type { EventContract, Message, Operation, OperationContract, Parameter } from "./contract.ts";
import type { GrpcContract, GrpcMethod } from "./grpc-contract.ts";

/** An operation, an event or a method of gRPC, as menus and searches list it. */
interface Entry {
  /** Its id in its page; stays the same, since links to it are in other people's pages. */
  readonly anchor: string;
  readonly title: string;
  /** The method of HTTP, `event`, or `gRPC`. */
  readonly label: string;
  /** The version in an operation's path. */
  readonly version?: string | undefined;
  readonly path?: string;
  readonly summary: string;
  /** Markdown. */
  readonly says: string;
}

export interface OperationEntry extends Entry {
  readonly kind: "operation";
  readonly operation: Operation;
  /** Of the path and of the operation, in this order. */
  readonly parameters: readonly Parameter[];
}

export interface EventEntry extends Entry {
  readonly kind: "event";
  readonly message: Message;
}

export interface MethodEntry extends Entry {
  readonly kind: "method";
  readonly method: GrpcMethod;
}

/** Entries under one heading. */
export interface Group {
  readonly anchor: string;
  readonly name: string;
  /** Markdown. */
  readonly says: string;
  readonly entries: readonly (OperationEntry | EventEntry | MethodEntry)[];
}

const METHODS = ["get", "post", "patch", "delete"] as const;

const slug = (text: string): string => text.toLowerCase().replaceAll(" ", "-");

/** The operations by their tag, in the order of the contract; tags without any are left out. */
export function operationGroups({ tags, paths }: OperationContract): readonly Group[] {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [operationEntry(path, method, operation, item.parameters)];
    }),
  );
  return tags
    .map(({ name, description }) => ({
      anchor: `/${slug(name)}`,
      name,
      says: description,
      entries: entries.filter(({ operation }) => operation.tags[0] === name),
    }))
    .filter((group) => group.entries.length > 0);
}

const operationEntry = (
  path: string,
  method: string,
  operation: Operation,
  ofPath: readonly Parameter[] = [],
): OperationEntry => ({
  kind: "operation",
  anchor: `/${slug(operation.tags[0] ?? "")}/${operation.operationId.toLowerCase()}`,
  title: operation.summary,
  label: method.toUpperCase(),
  version: /^\/(v\d+)\//.exec(path)?.[1],
  path,
  summary: operation.summary,
  says: operation.description ?? "",
  operation,
  parameters: [...ofPath, ...(operation.parameters ?? [])],
});

/** The methods of gRPC by their service. */
export const methodGroups = ({ services }: GrpcContract): readonly Group[] =>
  services.map(({ name, fullName, says, methods }) => ({
    anchor: `/${name.toLowerCase()}`,
    name,
    says,
    entries: methods.map((method) => ({
      kind: "method",
      anchor: `/${name.toLowerCase()}/${method.name.toLowerCase()}`,
      title: method.name,
      label: "gRPC",
      path: `${fullName}/${method.name}`,
      summary: inWords(method.name),
      says: method.says,
      method,
    })),
  }));

/** `CreatePasswordLink` as "Create password link". */
const inWords = (name: string): string => {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Every event in one group; each has the address that it had when a channel was drawn for each message. */
export const eventGroups = ({ components }: EventContract): readonly Group[] => [
  {
    anchor: "/channels",
    name: "Events",
    says: "Each of these is sent to your endpoint as one POST. Subscribe to all of them or to some.",
    entries: Object.entries(components.messages).map(([key, message]) => ({
      kind: "event",
      anchor: `/channels/${key.toLowerCase()}`,
      title: message.name,
      label: "event",
      summary: message.summary,
      says: message.description,
      message,
    })),
  },
];
