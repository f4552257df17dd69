/** A schema of a contract (JSON Schema 2020-12), as far as the contracts use it. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly "x-extensible-enum"?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly deprecated?: boolean;
}

interface Named<T> {
  readonly summary?: string;
  readonly value: T;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Named<unknown>>>;
}

export interface Header {
  readonly description?: string;
  readonly schema?: Schema;
  readonly required?: boolean;
  readonly example?: unknown;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: "path" | "query" | "header";
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** A way to prove who calls, of which one is enough; an empty one means that nothing has to be proven. */
export type Proof = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security?: readonly Proof[];
}

/** A path with its operations by method, and the parameters that all of them have. */
interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly get?: Operation;
  readonly post?: Operation;
  readonly patch?: Operation;
  readonly delete?: Operation;
}

/** A contract of operations, every reference resolved. */
export interface OperationContract {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly Proof[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

export interface Message {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: Schema;
  readonly payload: Schema;
  readonly examples: readonly { readonly headers: Readonly<Record<string, string>>; readonly payload: object }[];
}

/** The contract of events, every reference resolved. */
export interface EventContract {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
}
