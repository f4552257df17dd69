import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_TYPES } from "#generated/event-types.ts";
import { LANGUAGES } from "../../tools/sdks/languages.ts";
import { type Manifest, manifestOf, SDK_FOLDER } from "../../tools/sdks/manifest.ts";
import { type Node, operationsOf } from "../../tools/sdks/merged-document.ts";
import { sdkDocument } from "../../tools/sdks/sdk-document.ts";
import { nodesOf } from "../contract/contracts.ts";
import { newFolder } from "../support/folder.ts";

const written = JSON.parse(readFileSync(join(SDK_FOLDER, "manifest.json"), "utf8")) as Manifest;

describe("the manifest of the SDKs", () => {
  it("equals that of the present contracts, settings and files (make sdks)", () => {
    expect(manifestOf(SDK_FOLDER)).toEqual(written);
  });

  it.each([
    "typescript/overlay/src/verify-event.ts",
    "python/overlay/gatehouse_sdk/verify_event.py",
    "go/overlay/events.go",
    "java/overlay/src/main/java/example/gatehouse/sdk/Events.java",
  ])("is about SDKs whose own part types every event: sdks/%s", (file) => {
    const text = readFileSync(join("sdks", file), "utf8");
    expect(EVENT_TYPES.filter((type) => !text.includes(`"${type}"`))).toEqual([]);
  });

  it("reports a file that was changed by hand, and its language", () => {
    const folder = newFolder("gh-sdk-");
    cpSync(SDK_FOLDER, folder, { recursive: true });
    writeFileSync(join(folder, "go", "response.go"), "package gatehouse\n");
    const { sdks } = manifestOf(folder);
    const changed = LANGUAGES.filter((language) => sdks[language].output !== written.sdks[language].output);
    expect(changed).toEqual(["go"]);
  });

  it("stays unchanged without Java, and the message says what is missing", () => {
    const said = execFileSync(process.execPath, ["tools/sdks.ts", "/nowhere"], { encoding: "utf8", env: { PATH: "" } });
    expect(said).toMatch(/^The SDKs are not regenerated: Java 11 or newer is not on PATH.*are unchanged\.\n$/);
  });
});

describe("the document that SDKs are made from", () => {
  const document = sdkDocument();
  const schemas = document.components.schemas ?? {};

  it("names no content coding: a mock would send it with uncompressed bytes", () => {
    expect(JSON.stringify(document)).not.toMatch(/content-encoding/i);
  });

  const operations = Object.values(document.paths).flatMap((item) =>
    operationsOf(item).map(([, operation]) => operation),
  );

  it("has every operation for programs, and no page", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).toEqual(
      expect.arrayContaining(["exchangeToken", "revokeToken", "getUserinfo", "listWorkers", "getWorkerV2"]),
    );
    expect(ids.filter((id) => /login|consent|authorize|logout|account|password|sign(ed)?Out/i.test(id))).toEqual([]);
  });

  it("has no schema called New… beside the schema that it makes: Go's constructors have these names", () => {
    const names = Object.keys(schemas);
    expect(names.filter((name) => name.startsWith("New") && names.includes(name.slice("New".length)))).toEqual([]);
  });

  it("accepts bodies in JSON alone, since generators read one type only (R-X78)", () => {
    const types = operations.flatMap(({ requestBody }) =>
      Object.keys((requestBody as { content?: Node })?.content ?? {}),
    );
    expect([types.length, new Set(types)]).toEqual([10, new Set(["application/json"])]);
  });

  it("closes no list of words: a new one must not break readers (R-X78)", () => {
    const closedLists = [...nodesOf(document)].filter(
      ([, { enum: words }]) => Array.isArray(words) && words.length > 1,
    );
    expect(closedLists.map(([pointer]) => pointer)).toEqual([]);
    expect(JSON.stringify(document)).toContain("more may be added");
  });

  it("leaves checks of values to the server: an SDK neither sends another error nor refuses an answer", () => {
    const checks = [...nodesOf(document)].filter(([, { pattern, minLength, maxLength, minimum, maximum }]) =>
      [pattern, minLength, maxLength, minimum, maximum].some((check) => ["string", "number"].includes(typeof check)),
    );
    expect(checks.map(([pointer]) => pointer)).toEqual([]);
  });

  it("has no constants but words: of a truth value the Python generator makes the text", () => {
    const constants = [...nodesOf(document)].flatMap(([, node]) => ("const" in node ? [typeof node.const] : []));
    expect(new Set(constants)).toEqual(new Set(["string"]));
  });

  it("has one body of the token request, and no grant is named twice", () => {
    expect(Object.keys(schemas).filter((name) => /Grant$/.test(name))).toEqual([]);
    expect(schemas.TokenRequest).toMatchObject({
      type: "object",
      required: ["grant_type"],
      properties: { code: {}, redirect_uri: {}, code_verifier: {}, refresh_token: {}, scope: {}, client_id: {} },
    });
  });

  it("has the body of every event, recognised by its type", () => {
    const types = Object.values(schemas).map(({ properties }) => ((properties as Node)?.type as Node)?.const);
    expect(types.filter((type) => String(type).includes("."))).toEqual(expect.arrayContaining([...EVENT_TYPES]));
  });

  it("describes each operation's call: its own security and one API", () => {
    const bare = operations.filter(({ security, tags }) => !Array.isArray(security) || (tags as string[]).length !== 1);
    expect(bare).toEqual([]);
    expect(EVENT_TYPES.filter((type) => JSON.stringify(document.paths).includes(`"${type}"`))).toEqual([]);
  });
});
