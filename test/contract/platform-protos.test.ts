import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { protoBreaks } from "../../tools/contracts/breaking-changes.ts";
import { PLATFORM_SERVICES } from "../../tools/contracts/platform-protos.ts";
import { newFolder } from "../support/folder.ts";

const PUBLISHED = join("generated", "contracts");
const WORKFORCE = "platform.workforce.proto";
const FOLDER = newFolder("gh-protos-");

const files = readdirSync(PUBLISHED).filter((file) => file.endsWith(".proto"));
const text = (file: string): string => readFileSync(join(PUBLISHED, file), "utf8");
const all = files.map(text).join("\n");

/** What the published protos, with this file changed so, would break of themselves. */
function breaksOf(from: string | RegExp, to: string): readonly string[] {
  for (const file of files) cpSync(join(PUBLISHED, file), join(FOLDER, file));
  const before = text(WORKFORCE);
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${WORKFORCE} has no ${from}`);
  writeFileSync(join(FOLDER, WORKFORCE), after);
  return protoBreaks(PUBLISHED, FOLDER, "PACKAGE").map(({ sentence }) => sentence);
}

const BREAKING: readonly (readonly [string, string | RegExp, string])[] = [
  ["a method that is gone", /\n {2}rpc EndWorker\(.*\n/, "\n"],
  ["a service that is gone", /\nservice Bulk \{[\s\S]*?\n\}\n/, "\n"],
  ["a field that is gone", /\n {2}repeated string job_titles = 4;/, ""],
  ["a field of another name", "optional string phone = 5;", "optional string telephone = 5;"],
  ["a field of another type", "int32 detached_workers = 2;", "string detached_workers = 2;"],
  ["a word of an enum that is gone", /\n {2}USER_STATUS_INVITED = 3;/, ""],
];

describe("the protos for the platform's back end (R-X206)", () => {
  it("have every service that the platform's socket offers, and no other", () => {
    const services = files.flatMap((file) => {
      const [, name] = /^package (\S+);$/m.exec(text(file)) ?? [];
      return [...text(file).matchAll(/^service (\w+) \{$/gm)].map(([, service]) => `${name}.${service}`);
    });
    expect(services.toSorted()).toEqual(PLATFORM_SERVICES.toSorted());
  });

  it("have no message that only operators or our own processes send", () => {
    const messages = [...all.matchAll(/^message (\w+) \{/gm)].map(([, name = ""]) => name);
    expect(messages).toContain("OnboardWorkerRequest");
    expect(messages).toContain("PostalAddress");
    expect(messages.filter((name) => /ApiKey|Integration|GetIdentity|ListWorkersRequest/.test(name))).toEqual([]);
  });

  it("import only Google's own files", () => {
    const imports = [...all.matchAll(/^import "(.+)";$/gm)].map(([, path = ""]) => path);
    expect(imports.filter((path) => !path.startsWith("google/protobuf/"))).toEqual([]);
  });

  it("name no ruling and no file of the repository, which outsiders do not have", () => {
    expect(all.match(/\bR-[A-Z]\d+\b|\b(?:docs|src|test|proto)\/\S+/g)).toBeNull();
    // What is left where a line had nothing else.
    expect(all.match(/\/\/ *\.$/m)).toBeNull();
  });

  it.each(BREAKING)("cannot change by %s", (_, from, to) => {
    expect(breaksOf(from, to)).not.toEqual([]);
  });

  it("can grow by a method, a message and a field", () => {
    const grown =
      "rpc NoteWorker(NoteWorkerRequest) returns (NoteWorkerRequest);\n}\n\nmessage NoteWorkerRequest {\n  string note = 1;\n}";
    expect(breaksOf(/(?<=^service Platform \{[\s\S]*?\n)\}/m, grown)).toEqual([]);
    expect(breaksOf("message EndWorkerRequest {", "message EndWorkerRequest {\n  string note = 9;")).toEqual([]);
  });
});
