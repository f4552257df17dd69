import type { Language } from "../../src/portal/reference/samples.ts";
import { capital } from "./name-cases.ts";
import type { ShownRequest } from "./shown-request.ts";

type Programs = Readonly<Record<Language, string>>;
type Fields = readonly (readonly [name: string, value: string])[];

/** Secret values, and the variables of the environment that a program takes them from. */
const SECRETS: Readonly<Record<string, string>> = {
  client_secret: "CLIENT_SECRET",
  access_token: "ACCESS_TOKEN",
  token: "REFRESH_TOKEN",
  refresh_token: "REFRESH_TOKEN",
  id_token_hint: "ID_TOKEN",
};

/** A value as each language writes it: the example's, or what the environment has. */
function valueIn(language: Language, name: string, value: string): string {
  const secret = SECRETS[name];
  if (secret === undefined) return language === "curl" ? value : JSON.stringify(value);
  return {
    curl: `\${${secret}:?is empty}`,
    TypeScript: `process.env.${secret} ?? ""`,
    Python: `os.environ["${secret}"]`,
    Go: `os.Getenv("${secret}")`,
    Java: `System.getenv("${secret}")`,
  }[language];
}

const hasSecret = (fields: Fields): boolean => fields.some(([name]) => name in SECRETS);

const linesOf = (fields: Fields, line: (name: string, value: string) => string, joint = "\n"): string =>
  fields.map(([name, value]) => line(name, value)).join(joint);

const fieldsOfCurl = (fields: Fields): readonly string[] =>
  fields.map(([name, value]) => `--data-urlencode "${name}=${valueIn("curl", name, value)}"`);

const fieldsOfTypescript = (fields: Fields, indent: string): string =>
  linesOf(fields, (name, value) => `${indent}${name}: ${valueIn("TypeScript", name, value)},`);

const fieldsOfPython = (fields: Fields): string =>
  linesOf(fields, (name, value) => `    "${name}": ${valueIn("Python", name, value)},`);

/** With the space that gofmt puts after a key. */
function fieldsOfGo(fields: Fields): string {
  const width = Math.max(...fields.map(([name]) => name.length)) + 3;
  return linesOf(fields, (name, value) => `\t\t${`"${name}":`.padEnd(width)} {${valueIn("Go", name, value)}},`);
}

const fieldsOfJava = (fields: Fields): string =>
  linesOf(fields, (name, value) => `        "${name}", ${valueIn("Java", name, value)}`, ",\n");

const importsOfGo = (names: readonly string[]): string =>
  `import (\n${names
    .toSorted()
    .map((name) => `\t"${name}"`)
    .join("\n")}\n)`;

const importsOfJava = (names: readonly string[]): string => names.map((name) => `import ${name};`).join("\n");

const FORM_IN_JAVA = [
  "java.net.URLEncoder",
  "java.nio.charset.StandardCharsets",
  "java.util.Map",
  "java.util.stream.Collectors",
];

const joinedInJava = (map: string, one: string): string => `${map}.entrySet().stream()
        .map(${one} -> ${one}.getKey() + "=" + URLEncoder.encode(${one}.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));`;

interface Call extends ShownRequest {
  readonly operationId: string;
  /** True when the access token goes into the header. */
  readonly bearer: boolean;
}

/** A program in each language that calls one operation with what the language has of its own, and with curl. */
export function signOnPrograms(call: Call): Programs {
  const fields = Object.entries(call.form);
  return {
    curl: [
      `curl "${call.url}"`,
      ...(call.bearer ? [`-H "authorization: Bearer ${valueIn("curl", "access_token", "")}"`] : []),
      ...fieldsOfCurl(fields),
    ].join(" \\\n  "),
    TypeScript: typescript(call, fields),
    Python: python(call, fields),
    Go: go(call, fields),
    Java: java(call, fields),
  };
}

function typescript({ url, method, bearer, hasAnswerBody }: Call, fields: Fields): string {
  const options = [
    ...(bearer ? [`  headers: { authorization: \`Bearer \${process.env.ACCESS_TOKEN}\` },\n`] : []),
    ...(method === "POST"
      ? [`  method: "POST",\n  body: new URLSearchParams({\n${fieldsOfTypescript(fields, "    ")}\n  }),\n`]
      : []),
  ].join("");
  return `const answer = await fetch("${url}"${options === "" ? "" : `, {\n${options}}`});
if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
console.log(${hasAnswerBody ? "await answer.json()" : "answer.status"});`;
}

function python({ url, method, bearer, hasAnswerBody }: Call, fields: Fields): string {
  const imports = [
    ...(hasAnswerBody ? ["import json"] : []),
    ...(bearer || hasSecret(fields) ? ["import os"] : []),
    ...(method === "POST" ? ["from urllib.parse import urlencode"] : []),
    "from urllib.request import Request, urlopen",
  ];
  const form = method === "POST" ? `form = {\n${fieldsOfPython(fields)}\n}\n` : "";
  const request = [
    `    "${url}",`,
    ...(method === "POST" ? ["    data=urlencode(form).encode(),"] : []),
    ...(bearer ? ['    headers={"authorization": f"Bearer {os.environ[\'ACCESS_TOKEN\']}"},'] : []),
  ].join("\n");
  return `${imports.join("\n")}

${form}request = Request(
${request}
)
with urlopen(request) as answer:
    print(${hasAnswerBody ? "json.load(answer)" : "answer.status"})`;
}

const FAIL_IN_GO = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}";

function go({ url, method, bearer }: Call, fields: Fields): string {
  const request = bearer
    ? `\trequest, err := http.NewRequest("GET", "${url}", nil)
${FAIL_IN_GO}
	request.Header.Set("authorization", "Bearer "+${valueIn("Go", "access_token", "")})
	answer, err := http.DefaultClient.Do(request)`
    : method === "POST"
      ? `\tanswer, err := http.PostForm("${url}", url.Values{\n${fieldsOfGo(fields)}\n\t})`
      : `\tanswer, err := http.Get("${url}")`;
  return `package main

${importsOfGo(["fmt", "io", "log", "net/http", ...(method === "POST" ? ["net/url"] : []), ...(bearer || hasSecret(fields) ? ["os"] : [])])}

func main() {
${request}
${FAIL_IN_GO}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
${FAIL_IN_GO}
	if answer.StatusCode != http.StatusOK {
		log.Fatal(answer.Status, " ", string(body))
	}
	fmt.Println(answer.Status, string(body))
}`;
}

function java({ url, operationId, method, bearer }: Call, fields: Fields): string {
  const http = ["java.net.http.HttpClient", "java.net.http.HttpRequest", "java.net.http.HttpResponse.BodyHandlers"];
  const form =
    method === "POST"
      ? `    var form = Map.of(\n${fieldsOfJava(fields)});\n    var body = ${joinedInJava("form", "field")}\n`
      : "";
  const parts = [
    ...(bearer ? [`        .header("authorization", "Bearer " + ${valueIn("Java", "access_token", "")})`] : []),
    ...(method === "POST"
      ? [
          '        .header("content-type", "application/x-www-form-urlencoded")',
          "        .POST(HttpRequest.BodyPublishers.ofString(body))",
        ]
      : []),
    "        .build();",
  ];
  return `${importsOfJava(["java.net.URI", ...http, ...(method === "POST" ? FORM_IN_JAVA : [])].toSorted())}

public class ${capital(operationId)} {
  public static void main(String[] args) throws Exception {
${form}    var request = HttpRequest.newBuilder(URI.create("${url}"))
${parts.join("\n")}
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`;
}

/** A program in each language that makes the address for the browser and prints it; with curl what happens there. */
export function addressPrograms(operationId: string, url: string): Programs {
  const [base = "", search = ""] = url.split("?");
  const fields: Fields = [...new URLSearchParams(search)];
  return {
    curl: `# Prints where the browser is sent next.
${[`curl --get -s -o /dev/null -w '%{redirect_url}\\n' "${base}"`, ...fieldsOfCurl(fields)].join(" \\\n  ")}`,
    TypeScript: `const address = new URL("${base}");
address.search = new URLSearchParams({
${fieldsOfTypescript(fields, "  ")}
}).toString();
console.log(address.href);`,
    Python: `${hasSecret(fields) ? "import os\n" : ""}from urllib.parse import urlencode

query = {
${fieldsOfPython(fields)}
}
print("${base}?" + urlencode(query))`,
    Go: `package main

${importsOfGo(["fmt", "net/url", ...(hasSecret(fields) ? ["os"] : [])])}

func main() {
	query := url.Values{
${fieldsOfGo(fields)}
	}
	fmt.Println("${base}?" + query.Encode())
}`,
    Java: `${importsOfJava(FORM_IN_JAVA)}

public class ${capital(operationId)} {
  public static void main(String[] args) {
    var query = Map.of(
${fieldsOfJava(fields)});
    var search = ${joinedInJava("query", "one")}
    System.out.println("${base}?" + search);
  }
}`,
  };
}
