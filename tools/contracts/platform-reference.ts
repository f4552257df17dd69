import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import type {
  GrpcContract,
  GrpcEnum,
  GrpcField,
  GrpcMessage,
  GrpcService,
} from "../../src/portal/reference/grpc-contract.ts";
import { platformContract } from "./platform-protos.ts";

/** google.protobuf.FileDescriptorProto in JSON, as far as the reference shows it. */
interface ProtoFile {
  readonly name: string;
  readonly package: string;
  readonly service?: readonly { readonly name: string; readonly method: readonly ProtoMethod[] }[];
  readonly messageType?: readonly ProtoMessage[];
  readonly enumType?: readonly { readonly name: string; readonly value: readonly { readonly name: string }[] }[];
  readonly sourceCodeInfo: {
    readonly location: readonly { readonly path?: readonly number[]; readonly leadingComments?: string }[];
  };
}

interface ProtoMethod {
  readonly name: string;
  readonly inputType: string;
  readonly outputType: string;
  readonly clientStreaming?: boolean;
  readonly serverStreaming?: boolean;
}

interface ProtoMessage {
  readonly name: string;
  readonly field?: readonly ProtoField[];
  readonly oneofDecl?: readonly { readonly name: string }[];
}

interface ProtoField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly typeName?: string;
  readonly oneofIndex?: number;
  readonly proto3Optional?: boolean;
}

/** Numbers of the members of a FileDescriptorProto, by which comments say what they are about. */
const MESSAGES = 4;
const ENUMS = 5;
const SERVICES = 6;
const PARTS = 2;

/** What the reference draws of the published protos, read from their descriptors, with the comments. */
export function platformReference(folder: string, protos: readonly string[], version: string): GrpcContract {
  const image = execFileSync(resolve("node_modules", ".bin", "buf"), ["build", ".", "--output", "-#format=json"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const { file } = JSON.parse(image) as { readonly file: readonly ProtoFile[] };
  const files = file.filter(({ name }) => protos.includes(name)).toSorted((one, other) => sizeOf(other) - sizeOf(one));
  return {
    ...platformContract(),
    version,
    services: files.flatMap(servicesOf),
    messages: Object.fromEntries(files.flatMap(messagesOf)),
    enums: Object.fromEntries(files.flatMap(enumsOf)),
  };
}

/** The file with the most messages comes first: companies and people before their passwords. */
const sizeOf = ({ messageType = [] }: ProtoFile): number => messageType.length;

/** The comment above a part of the file, without the space after its slashes. */
const saysOf = ({ sourceCodeInfo }: ProtoFile, path: readonly number[]): string =>
  (sourceCodeInfo.location.find((one) => one.path?.join() === path.join())?.leadingComments ?? "")
    .replaceAll(/^ /gm, "")
    .trim();

const withoutDot = (name: string): string => name.replace(/^\./, "");

const servicesOf = (file: ProtoFile): readonly GrpcService[] =>
  (file.service ?? []).map(({ name, method }, at) => ({
    name,
    fullName: `${file.package}.${name}`,
    says: saysOf(file, [SERVICES, at]),
    methods: method.map((one, index) => ({
      name: one.name,
      says: saysOf(file, [SERVICES, at, PARTS, index]),
      request: withoutDot(one.inputType),
      requestStream: one.clientStreaming === true,
      response: withoutDot(one.outputType),
      responseStream: one.serverStreaming === true,
    })),
  }));

const messagesOf = (file: ProtoFile): readonly (readonly [string, GrpcMessage])[] =>
  (file.messageType ?? []).map((message, at) => [
    `${file.package}.${message.name}`,
    {
      name: message.name,
      says: saysOf(file, [MESSAGES, at]),
      fields: (message.field ?? []).map((field, index) => ({
        ...fieldOf(field, message),
        says: saysOf(file, [MESSAGES, at, PARTS, index]),
      })),
    },
  ]);

const fieldOf = (
  { name, label, type, typeName = "", oneofIndex, proto3Optional }: ProtoField,
  { oneofDecl = [] }: ProtoMessage,
): Omit<GrpcField, "says"> => ({
  name,
  type: typeName === "" ? type.replace("TYPE_", "").toLowerCase() : (typeName.split(".").at(-1) ?? ""),
  // Google's own messages are explained by Google.
  ...(typeName === "" || typeName.startsWith(".google.") ? {} : { of: withoutDot(typeName) }),
  repeated: label === "LABEL_REPEATED",
  optional: proto3Optional === true,
  ...(oneofIndex === undefined || proto3Optional === true ? {} : { oneOf: oneofDecl[oneofIndex]?.name ?? "" }),
});

const enumsOf = (file: ProtoFile): readonly (readonly [string, GrpcEnum])[] =>
  (file.enumType ?? []).map(({ name, value }, at) => [
    `${file.package}.${name}`,
    {
      name,
      says: saysOf(file, [ENUMS, at]),
      words: value.map((word, index) => ({ name: word.name, says: saysOf(file, [ENUMS, at, PARTS, index]) })),
    },
  ]);
