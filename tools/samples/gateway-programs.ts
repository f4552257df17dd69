import type { Language } from "../../src/portal/reference/samples.ts";
import { capital, snake } from "./name-cases.ts";
import { SERVER, type ShownRequest } from "./shown-request.ts";

/** How the SDKs' door is asked for one operation, and what is printed of each thing that it gives. */
interface Ask {
  /** In words of TypeScript and Java; Python and Go have their own spelling of it. */
  readonly method: string;
  /** A list that is read page by page while one iterates, a list that is there at once, the units of one thing, or one thing. */
  readonly gives: "pages" | "list" | "units" | "one";
  /** The noun of one of them. */
  readonly noun: string;
  /** Members to print, in the wire's spelling; none when the thing is printed itself. */
  readonly prints: readonly string[];
}

const ASKS: Readonly<Record<string, Ask>> = {
  listInstanceIntegrations: {
    method: "instanceIntegrations",
    gives: "list",
    noun: "instanceIntegration",
    prints: ["id"],
  },
  listClients: { method: "clients", gives: "list", noun: "client", prints: ["id", "name"] },
  getClient: { method: "client", gives: "one", noun: "client", prints: ["name"] },
  listJobTitles: { method: "jobTitles", gives: "list", noun: "jobTitle", prints: [] },
  getOrganizationStructure: {
    method: "organizationStructure",
    gives: "units",
    noun: "unit",
    prints: ["id", "name"],
  },
  listUsers: { method: "users", gives: "pages", noun: "user", prints: ["email", "status"] },
  getUser: { method: "user", gives: "one", noun: "user", prints: ["email", "status"] },
  listWorkers: { method: "listWorkers", gives: "list", noun: "worker", prints: ["id", "fullName"] },
  listWorkersV2: { method: "workers", gives: "pages", noun: "worker", prints: ["id", "fullName"] },
  getWorkerV2: { method: "worker", gives: "one", noun: "worker", prints: ["fullName", "endedAt"] },
};

/** A program in each language that calls one operation of the gateway through the SDK, and with curl. */
export function gatewayPrograms(operationId: string, request: ShownRequest): Readonly<Record<Language, string>> {
  const ask = ASKS[operationId];
  if (ask === undefined) throw new Error(`tools/samples/gateway-programs.ts does not say how ${operationId} is asked.`);
  const ids = Object.values(request.path);
  return {
    curl: curl(ask, request),
    TypeScript: typescript(operationId, ask, request),
    Python: python(ask, ids),
    Go: go(ask, ids),
    Java: java(operationId, ask, ids),
  };
}

const quoted = (words: readonly string[]): readonly string[] => words.map((word) => `"${word}"`);

/** Arguments on lines of their own, as far as there are several. */
const argumentsOn = (words: readonly string[], indent: string, trailing = ""): string =>
  words.length < 2
    ? words.join("")
    : `\n${words.map((word) => `${indent}  ${word}`).join(",\n")}${trailing}\n${indent}`;

const curl = ({ gives }: Ask, { url }: ShownRequest): string =>
  `curl ${gives === "pages" ? "-i " : ""}"${url}" \\
  -H "x-api-key: \${API_KEY:?has no API key}"${gives === "pages" ? "\n# The header link has the address of the next page; the last page has none." : ""}`;

function typescript(operationId: string, { method, gives, noun, prints }: Ask, { path }: ShownRequest): string {
  // Version 1 is behind the door: the generated operations.
  const first = operationId === "listWorkers";
  const call = first
    ? `gatehouse.gateway.${method}({${argumentsOn(
        Object.entries(path).map(([name, id]) => `${name}: "${id}"`),
        "",
        ",",
      )}})`
    : `gatehouse.${method}(${argumentsOn(quoted(Object.values(path)), "", ",")})`;
  const shown = prints.length === 0 ? noun : prints.map((name) => `${noun}.${name}`).join(", ");
  const body = {
    pages: `for await (const ${noun} of ${call}) {\n  console.log(${shown});\n}`,
    list: `for (const ${noun} of await ${call}) {\n  console.log(${shown});\n}`,
    units: `const { units } = await ${call};\nfor (const unit of units) {\n  console.log(${shown});\n}`,
    one: `const ${noun} = await ${call};\nconsole.log(${shown});`,
  }[gives];
  return `import { Gatehouse } from "gatehouse-sdk";

const gatehouse = new Gatehouse({
  baseUrl: "${SERVER}",
  apiKey: process.env.API_KEY ?? "",
});
${body}`;
}

function python({ method, gives, noun, prints }: Ask, ids: readonly string[]): string {
  const one = snake(noun);
  const door = method === "listWorkers" ? "gatehouse.gateway.list_workers" : `gatehouse.${snake(method)}`;
  const call = `${door}(${argumentsOn(quoted(ids), "", ",").replaceAll("  ", "    ")})`;
  const shown = prints.length === 0 ? one : prints.map((name) => `${one}.${snake(name)}`).join(", ");
  const list = gives === "units" ? `${call}.units` : call;
  const body = gives === "one" ? `${one} = ${call}\nprint(${shown})` : `for ${one} in ${list}:\n    print(${shown})`;
  return `import os

from gatehouse_sdk import Gatehouse

gatehouse = Gatehouse(base_url="${SERVER}", api_key=os.environ["API_KEY"])
${body}`;
}

/** Members as the generator names them in Go; those that may be null have a function. */
const inGo = (one: string, name: string): string =>
  name === "endedAt" ? `${one}.EndedAt.Get()` : `${one}.${name === "id" ? "Id" : capital(name)}`;

function go({ method, gives, noun, prints }: Ask, ids: readonly string[]): string {
  const one = noun === "client" ? "company" : noun;
  const context = ["context.Background()", ...quoted(ids)];
  const call =
    method === "listWorkers"
      ? `gatehouse.Result(client.API().GatewayAPI.ListWorkers(${argumentsOn(context, "\t", ",").replaceAll("  ", "\t")}).Execute())`
      : `client.${capital(method)}(${argumentsOn(context, "\t", ",").replaceAll("  ", "\t")})`;
  const shown = prints.length === 0 ? one : prints.map((name) => inGo(one, name)).join(", ");
  const fail = (indent: string) => `${indent}if err != nil {\n${indent}\tlog.Fatal(err)\n${indent}}`;
  const body = {
    pages: `\tfor ${one}, err := range ${call} {\n${fail("\t\t")}\n\t\tfmt.Println(${shown})\n\t}`,
    list: `\tall, err := ${call}\n${fail("\t")}\n\tfor _, ${one} := range all {\n\t\tfmt.Println(${shown})\n\t}`,
    units: `\tstructure, err := ${call}\n${fail("\t")}\n\tfor _, unit := range structure.Units {\n\t\tfmt.Println(${shown})\n\t}`,
    one: `\t${one}, err := ${call}\n${fail("\t")}\n\tfmt.Println(${shown})`,
  }[gives];
  return `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	gatehouse "gatehouse.example/sdk/go"
)

func main() {
	client, err := gatehouse.New("${SERVER}", os.Getenv("API_KEY"))
${fail("\t")}
${body}
}`;
}

function java(operationId: string, { method, gives, noun, prints }: Ask, ids: readonly string[]): string {
  // Version 1 is behind the door; the generated operation takes the entity tag of a copy, too.
  const call =
    method === "listWorkers"
      ? `Gatehouse.call(() -> gatehouse.gateway().listWorkers(${argumentsOn([...quoted(ids), "null"], "    ")}))`
      : `gatehouse.${method}(${argumentsOn(quoted(ids), "    ")})`;
  const shown = prints.length === 0 ? noun : prints.map((name) => `${noun}.get${capital(name)}()`).join(' + " " + ');
  const print = `System.out.println(${shown});`;
  const body = {
    pages: `    try (var all = ${call}) {\n      all.forEach(${noun} -> System.out.println(${shown}));\n    }`,
    list: `    for (var ${noun} : ${call}) {\n      ${print}\n    }`,
    units: `    for (var unit : ${call}.getUnits()) {\n      ${print}\n    }`,
    one: `    var ${noun} = ${call};\n    ${print}`,
  }[gives];
  return `import example.gatehouse.sdk.Gatehouse;

public class ${capital(operationId)} {
  public static void main(String[] args) {
    var gatehouse = new Gatehouse("${SERVER}", System.getenv("API_KEY"));
${body}
  }
}`;
}
