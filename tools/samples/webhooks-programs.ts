import type { OperationEntry } from "../../src/portal/reference/outline.ts";
import type { Language } from "../../src/portal/reference/samples.ts";
import { capital, snake } from "./name-cases.ts";
import { SERVER, type ShownRequest } from "./shown-request.ts";

/** A value of a body. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
type Members = Readonly<Record<string, Json>>;

/** What is asked, as every language needs it. */
interface Asked {
  readonly operationId: string;
  readonly request: ShownRequest;
  /** Names of all parameters in the contract's order, without headers. */
  readonly parameters: readonly string[];
  readonly body: Members | undefined;
  /** The class of the body. */
  readonly model: string;
}

/** A program in each language that calls one operation of the integrator's own webhooks, by the generated operation. */
export function webhooksPrograms(entry: OperationEntry, request: ShownRequest): Readonly<Record<Language, string>> {
  const media = entry.operation.requestBody?.content["application/json"];
  const asked: Asked = {
    operationId: entry.operation.operationId,
    request,
    parameters: entry.parameters.filter((one) => one.in !== "header").map(({ name }) => name),
    body: Object.values(media?.examples ?? {})[0]?.value as Members | undefined,
    model: String((media?.schema as { readonly title?: string } | undefined)?.title ?? ""),
  };
  return { curl: curl(asked), TypeScript: typescript(asked), Python: python(asked), Go: go(asked), Java: java(asked) };
}

const small = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const isInstant = (value: Json): value is string => typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);

/** The values of path and query by name; numbers without quotes. */
const valuesOf = ({ path, query }: ShownRequest): ReadonlyMap<string, string> =>
  new Map(
    Object.entries({ ...path, ...query }).map(([name, value]) => [name, /^\d+$/.test(value) ? value : `"${value}"`]),
  );

const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);

function curl({ request, body }: Asked): string {
  const method = request.method === "GET" ? "" : `-X ${request.method} `;
  const sent =
    body === undefined
      ? ""
      : ` \\\n  -H "content-type: application/json" \\\n  -d '${indented(JSON.stringify(body, null, 2), "  ")}'`;
  return `curl ${method}"${request.url}" \\
  -H "x-api-key: \${API_KEY:?has no API key}"${sent}`;
}

/** A value as a literal; instants are dates. */
function literal(value: Json, indent: string): string {
  if (isInstant(value)) return `new Date("${value}")`;
  if (Array.isArray(value)) return `[${value.map((one) => literal(one as Json, indent)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Members).map(
    ([name, member]) => `${indent}  ${name}: ${literal(member, `${indent}  `)},\n`,
  );
  return `{\n${members.join("")}${indent}}`;
}

function typescript({ operationId, request, body, model }: Asked): string {
  const given = [
    ...[...valuesOf(request)].map(([name, value]) => `  ${name}: ${value},\n`),
    ...(body === undefined ? [] : [`  ${small(model)}: ${literal(body, "  ")},\n`]),
  ];
  const call = `await gatehouse.gateway.${operationId}(${given.length === 0 ? "" : `{\n${given.join("")}}`})`;
  return `import { Gatehouse } from "gatehouse-sdk";

const gatehouse = new Gatehouse({
  baseUrl: "${SERVER}",
  apiKey: process.env.API_KEY ?? "",
});
${request.hasAnswerBody ? `const answer = ${call};\nconsole.log(JSON.stringify(answer));` : `${call};\nconsole.log("done");`}`;
}

/** A dictionary, over several lines. */
function dictionary(value: Json, indent: string): string {
  if (Array.isArray(value)) return `[${value.map((one) => dictionary(one as Json, indent)).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object" || value === null) return value === null ? "None" : JSON.stringify(value);
  const members = Object.entries(value as Members).map(
    ([name, member]) => `${indent}    "${name}": ${dictionary(member, `${indent}    `)},\n`,
  );
  return `{\n${members.join("")}${indent}}`;
}

function python({ operationId, request, body, model }: Asked): string {
  const { path, query } = request;
  const given = [
    ...Object.keys(path).map((name) => valuesOf(request).get(name) ?? ""),
    ...(body === undefined ? [] : ["wanted"]),
    ...Object.keys(query).map((name) => `${snake(name)}=${valuesOf(request).get(name)}`),
  ];
  const call = `gatehouse.gateway.${snake(operationId)}(${given.join(", ")})`;
  const wanted = body === undefined ? "" : `wanted = ${model}.from_dict(${dictionary(body, "")})\n`;
  return `import os

from gatehouse_sdk import Gatehouse${body === undefined ? "" : `\nfrom gatehouse_sdk.models import ${model}`}

gatehouse = Gatehouse(base_url="${SERVER}", api_key=os.environ["API_KEY"])
${wanted}${request.hasAnswerBody ? `answer = ${call}\nprint(answer.to_json())` : `${call}\nprint("done")`}`;
}

function go({ operationId, request, body, model }: Asked): string {
  const { path, query } = request;
  const ids = ["context.Background()", ...Object.keys(path).map((name) => valuesOf(request).get(name))].join(", ");
  const filters = Object.keys(query).map((name) => `.${capital(name)}(${valuesOf(request).get(name)})`);
  const sent = body === undefined ? "" : `.${model}(wanted)`;
  const call = `client.API().GatewayAPI.${capital(operationId)}(${ids})${filters.join("")}${sent}.Execute()`;
  const wanted =
    body === undefined
      ? ""
      : `	var wanted gatehouse.${model}
	body := \`${indented(JSON.stringify(body, null, 2), "	")}\`
	if err := json.Unmarshal([]byte(body), &wanted); err != nil {
		log.Fatal(err)
	}
`;
  const asked = request.hasAnswerBody
    ? `	answer, err := gatehouse.Result(${call})
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))`
    : `	if err := gatehouse.Done(${call}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("done")`;
  return `package main

import (
	"context"
${request.hasAnswerBody || body !== undefined ? '	"encoding/json"\n' : ""}	"fmt"
	"log"
	"os"

	gatehouse "gatehouse.example/sdk/go"
)

func main() {
	client, err := gatehouse.New("${SERVER}", os.Getenv("API_KEY"))
	if err != nil {
		log.Fatal(err)
	}
${wanted}${asked}
}`;
}

/** Models within bodies, by the member that holds them. */
const INNER: Readonly<Record<string, string>> = { extraHeaders: "GivenHeader", messages: "WantedTestMessage" };

/** A value of one member, made by the setters of its class. */
function made(name: string, value: Json, indent: string): string {
  if (isInstant(value)) return `OffsetDateTime.parse("${value}")`;
  if (Array.isArray(value)) return `List.of(${value.map((one) => made(name, one as Json, indent)).join(", ")})`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return built(INNER[name] ?? capital(name), value as Members, indent);
}

const built = (model: string, members: Members, indent: string): string =>
  `new ${model}()${Object.entries(members)
    .map(([name, value]) => `\n${indent}    .${name}(${made(name, value, `${indent}    `)})`)
    .join("")}`;

function java({ operationId, request, parameters, body, model }: Asked): string {
  const values = valuesOf(request);
  const given = [
    ...parameters.filter((name) => name in request.path).map((name) => values.get(name) ?? ""),
    ...(body === undefined ? [] : ["wanted"]),
    ...parameters.filter((name) => !(name in request.path)).map((name) => values.get(name) ?? "null"),
  ];
  const call = `gatehouse.gateway().${operationId}(${given.join(", ")})`;
  const text = body === undefined ? "" : built(model, body, "    ");
  const imports = [
    "example.gatehouse.sdk.Gatehouse",
    ...(body === undefined ? [] : [`example.gatehouse.sdk.model.${model}`]),
    ...Object.values(INNER)
      .filter((inner) => text.includes(`new ${inner}()`))
      .map((inner) => `example.gatehouse.sdk.model.${inner}`),
    ...(text.includes("OffsetDateTime") ? ["java.time.OffsetDateTime"] : []),
    ...(text.includes("List.of") ? ["java.util.List"] : []),
  ];
  const asked = request.hasAnswerBody
    ? `    var answer = Gatehouse.call(() -> ${call});\n    System.out.println(answer);`
    : `    Gatehouse.call(
        () -> {
          ${call};
          return null;
        });
    System.out.println("done");`;
  return `${imports.map((one) => `import ${one};\n`).join("")}
public class ${capital(operationId)} {
  public static void main(String[] args) {
    var gatehouse = new Gatehouse("${SERVER}", System.getenv("API_KEY"));
${body === undefined ? "" : `    var wanted =\n        ${text.replaceAll("\n    ", "\n        ")};\n`}${asked}
  }
}`;
}
