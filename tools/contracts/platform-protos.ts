import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { access } from "../../src/access.ts";

/** One file of an image, as far as it is needed here (google.protobuf.FileDescriptorProto in JSON). */
interface ImageFile {
  readonly name: string;
  readonly package: string;
  readonly messageType?: readonly { readonly name: string }[];
  readonly enumType?: readonly { readonly name: string }[];
  readonly service?: readonly { readonly name: string }[];
}

/** Title of the contract and what holds for all of it. */
export const platformContract = (): { readonly title: string; readonly description: string } =>
  parse(readFileSync(join("proto", "platform.yaml"), "utf8"));

/** Full names of the services that the platform's socket offers. */
export const PLATFORM_SERVICES: readonly string[] = Object.entries(access)
  .filter(([, peers]) => peers.includes("platform"))
  .map(([name]) => name);

/** The contract's name in the list of published files. */
export const PLATFORM_CONTRACT = "platform";

/** Imports of the published files; everything of ours is in them. */
const FOREIGN = /^google\//;
/** Numbers of rulings, which outsiders do not have. */
const RULINGS = /(?: |\n *\/\/ )\(R-[A-Z]\d+(?:, R-[A-Z]\d+)*\)/g;

/**
 * The protos to publish, by file name: for each package one file that needs no other but Google's, with the platform's
 * services, the messages that they reach, and nothing that is for operators or between our own processes.
 */
export function platformProtos(version: string): ReadonlyMap<string, string> {
  const files = imageOf(PLATFORM_SERVICES)
    .filter(({ name }) => !FOREIGN.test(name))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const packages = [...new Set(files.map((file) => file.package))].sort();
  return new Map(
    packages.map((name) => {
      const parts = files.filter((file) => file.package === name).map(partOf);
      const imports = [...new Set(parts.flatMap((part) => part.imports))].sort();
      const blocks = [...parts.flatMap(({ services }) => services), ...parts.flatMap(({ messages }) => messages)];
      const text = [
        headerOf(version),
        'syntax = "proto3";',
        `package ${name};`,
        imports.map((path) => `import "${path}";`).join("\n"),
        ...blocks,
      ].join("\n\n");
      return [publishedName(name), `${text.replaceAll(RULINGS, "")}\n`] as const;
    }),
  );
}

/** Files with services in the order of the access table, then those that services share. */
function rankOf({ package: name, service: [first] = [] }: ImageFile): number {
  return first === undefined ? PLATFORM_SERVICES.length : PLATFORM_SERVICES.indexOf(`${name}.${first.name}`);
}

/** The files in which these services and all that they reach are defined, and of each file no more than that. */
function imageOf(services: readonly string[]): readonly ImageFile[] {
  const image = execFileSync(
    join("node_modules", ".bin", "buf"),
    ["build", ...services.flatMap((name) => ["--type", name]), "--output", "-#format=json"],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return (JSON.parse(image) as { readonly file: readonly ImageFile[] }).file;
}

function headerOf(version: string): string {
  const { title, description } = platformContract();
  const lines = [`${title}, version ${version}.`, "", ...description.trimEnd().split("\n")];
  return lines.map((line) => `// ${line}`.trimEnd()).join("\n");
}

/** `platform.sign-on.proto` for the package `gatehouse.sign_on.v1`. */
const publishedName = (name: string): string => `platform.${(name.split(".")[1] ?? "").replaceAll("_", "-")}.proto`;

interface Part {
  readonly imports: readonly string[];
  readonly services: readonly string[];
  readonly messages: readonly string[];
}

/** What of one source file is published: top-level blocks of the image, each with the comment above it. */
function partOf({ name, messageType = [], enumType = [], service = [] }: ImageFile): Part {
  const source = readFileSync(join("proto", name), "utf8");
  const reached = new Set([...messageType, ...enumType, ...service].map((block) => block.name));
  const blocks = [...source.matchAll(BLOCK)].filter(([, , , block = ""]) => reached.has(block));
  if (blocks.length !== reached.size) throw new Error(`proto/${name}: run buf format, the blocks cannot be told apart`);
  const published = blocks.map(([text]) => text);
  const [services, messages] = [true, false].map((wanted) =>
    blocks.filter(([, , keyword]) => (keyword === "service") === wanted).map(([text]) => text),
  );
  const imports = [...source.matchAll(/^import "(.+)";$/gm)].map(([, path = ""]) => path);
  return {
    imports: imports.filter((path) => isUsed(path, published.join("\n"))),
    services: services ?? [],
    messages: messages ?? [],
  };
}

/** A service, message or enum at the top of a file, with the comment lines above it, as buf formats it. */
const BLOCK = /^((?:\/\/.*\n)*)(service|message|enum) (\w+) \{(?:\}|[\s\S]*?\n\})/gm;

/** `google/protobuf/field_mask.proto` has FieldMask. */
const isUsed = (path: string, text: string): boolean =>
  FOREIGN.test(path) &&
  text.includes(
    `google.protobuf.${(path.split("/").at(-1) ?? "")
      .replace(".proto", "")
      .split("_")
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join("")}`,
  );
