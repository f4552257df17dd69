import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import gatewayContract from "../../../generated/contracts/gateway.json" with { type: "json" };
import { CHECKS } from "../../../src/sign-on/refusals/catalogue.ts";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import type { LinkTargets } from "../../../tools/guides/link-targets.ts";
import { drawnGuides } from "../../../tools/guides/write-guides.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";
import { Reader } from "./support/reader.ts";

const TARGETS: Omit<LinkTargets, "guides"> = {
  reference: { gateway: new Set(["#/workers/listworkersv2"]), events: new Set(), "sign-on": new Set() },
  problems: new Set(["client-not-found"]),
  contracts: new Set(["gateway.yaml"]),
  signOnPaths: new Set(["/.well-known/openid-configuration"]),
};

const LIST = "## For integrators\n\n- [One](one.md)\n";

/** Draws one guide of this text below its title, from a folder at the depth of docs/guides. */
function drawn(text: string, list = LIST): ReadonlyMap<string, string> {
  const folder = newFolder("gh-guides-");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "README.md"), list);
  writeFileSync(join(folder, "one.md"), `# One\n\nA task.\n\n${text}\n`);
  return drawnGuides(TARGETS, folder);
}

describe("the guides", () => {
  it("show users in states that the contract has", () => {
    const known = gatewayContract.components.schemas.PlatformUser.properties.status.enum;
    const texts = readdirSync("docs/guides").map((name) => readFileSync(join("docs/guides", name), "utf8"));
    const shown = texts.flatMap((text) => [...text.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status));
    expect(shown.filter((status) => !known.includes(status as string))).toEqual([]);
    expect(shown).not.toHaveLength(0);
  });

  it("begin with a paragraph of plain text: as the summary of its page it would lose code and links", () => {
    const guides = readdirSync("docs/guides").filter((name) => name !== "README.md");
    const begin = guides.map(
      (name) => [name, readFileSync(join("docs/guides", name), "utf8").split("\n\n")[1]] as const,
    );
    expect(begin.filter(([, paragraph = "`"]) => /[`[]/.test(paragraph))).toEqual([]);
  });

  it("say that everything may be repeated of reads alone", () => {
    const reading = readFileSync("docs/guides/read-the-gateway.md", "utf8");
    expect(reading).not.toContain("All operations only read");
    expect(reading).toContain("(manage-webhooks.md#when-no-answer-comes)");
  });
});

describe("the addresses that a server replaces by its own (R-X190)", () => {
  it("stay whole in code within a sentence, where other names may be broken", () => {
    const body = drawn(
      "The issuer is `https://sign-on.example`, the gateway `https://gateway.example/v1/event_types`.",
    );
    expect(body.get("one.html")).toContain("<code>https://sign-on.example</code>");
    expect(body.get("one.html")).toContain("<code>https://gateway.example/<wbr>v1/<wbr>event_<wbr>types</code>");
  });
});

describe("a guide with a mistake is not drawn (R-X190)", () => {
  it.each([
    ["another guide that is not there", "[x](two.md)", "links to two.md"],
    ["a heading that is not there", "[x](#nowhere)", "links to #nowhere"],
    ["a heading of a guide that is not there", "[x](one.md#nowhere)", "links to one.md#nowhere"],
    ["a file of the repository that is not there", "[x](../nowhere.md)", "links to ../nowhere.md"],
    ["a ruling that is not there", "[x](../rulings/pages.md#r-x0)", "links to ../rulings/pages.md#r-x0"],
    ["an operation that is not there", "[x](https://gateway.example/docs/gateway#/workers/none)", "#/workers/none"],
    ["a page of the reference that is not there", "[x](https://gateway.example/docs/none)", "/docs/none"],
    ["a problem that is not there", "[x](https://gateway.example/problems/none)", "/problems/none"],
    ["a contract that is not there", "[x](https://gateway.example/contracts/none.yaml)", "/contracts/none.yaml"],
    ["an address of sign-on that is not there", "[x](https://sign-on.example/none)", "https://sign-on.example/none"],
    ["plain http", "[x](http://elsewhere.example/)", "links to http://elsewhere.example/"],
    ["markup of its own", "<b>x</b>", "markup of its own"],
    ["an image", "![x](x.png)", "shows an image"],
    ["two headings alike", "## Same\n\n## Same", "2 headings with the id same"],
    ["a block that gives no reason for not being run", "```json\n{}\n```", "gives no reason (not-run)"],
    ["a block without a language", "```\nx\n```", "info string that cannot be read"],
    ["an attribute that is none", "```sh shown='x'\necho x\n```", "info string that cannot be read"],
    [
      "a request that does not say what it shows",
      "```sh\ncurl https://gateway.example/\n```",
      "does not say what it shows",
    ],
    ["a placeholder that is not looked at", "```sh\necho $API_KEY\n```", "uses $API_KEY without a first line"],
  ])("%s", (_, text, problem) => {
    expect(() => drawn(text)).toThrow(problem);
  });

  it("is not forgotten in the list", () => {
    expect(() => drawn("x", "## For integrators\n")).toThrow("one.md is not in README.md");
  });
});

describe("a guide", () => {
  it("links to guides, operations, problems and contracts by path, to files of the repository by name", () => {
    const html = drawn(
      [
        "## There",
        "[a](one.md#there) [b](https://gateway.example/docs/gateway#/workers/listworkersv2)",
        "[c](https://gateway.example/problems/client-not-found) [d](https://gateway.example/contracts/gateway.yaml)",
        "[e](https://sign-on.example/.well-known/openid-configuration) [f](https://elsewhere.example/)",
      ].join("\n\n"),
    ).get("one.html");
    expect([...(html ?? "").matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "#there",
      "/docs/gateway#/workers/listworkersv2",
      "/problems/client-not-found",
      "/contracts/gateway.yaml",
      "https://sign-on.example/.well-known/openid-configuration",
      "https://elsewhere.example/",
    ]);
  });

  it("names files of the repository in its Markdown too, which is read without them, and leaves code and other links alone", () => {
    const code = '```json not-run="shown"\n{ "a": "[x](../operations/metrics.md)" }\n```';
    const text = "See [the\nmetrics](../operations/metrics.md) and [this](one.md#there).";
    expect(drawn(`${text}\n\n${code}\n\n## There`).get("one.md")).toBe(
      `# One\n\nA task.\n\nSee the\nmetrics (\`docs/operations/metrics.md\` in the source) and [this](one.md#there).\n\n${code}\n\n## There\n`,
    );
  });

  it("keeps flags whole, whose hyphens would end lines", () => {
    const drawnPage = drawn("`gatehouse onboard --redirect-uri` or `--kind`, `a---b-c`").get("one.html");
    expect(drawnPage).toContain('<code>gatehouse onboard <span class="flag">--redirect-uri</span></code>');
    expect(drawnPage?.match(/class="flag"/g)).toHaveLength(2);
  });

  it("offers a choice where headings are languages, up to the next heading that is none", () => {
    const html = drawn("## Read\n\n### TypeScript\n\nts\n\n### Python\n\npy\n\n## On\n\nmore").get("one.html");
    expect(html).toContain('<div class="languages-of typescript python">');
    expect(html).toMatch(
      /<section class="language python">\n<h3 id="read-python">Python<\/h3>\n<p>py<\/p>\n<\/section>\n<\/div>/,
    );
    expect(html).toMatch(/<\/div>\n<h2 id="on">On<\/h2>/);
  });

  it("is listed with title, summary, headings and languages, for menus and searches", () => {
    const index = drawn("## Read\n\nAll of it.\n\n### TypeScript\n\nts\n\n```sh\ntrue\n```").get("index.json") ?? "";
    expect(JSON.parse(index)).toEqual([
      {
        name: "one",
        audience: "integrators",
        title: "One",
        summary: "A task.",
        headings: [{ id: "read", text: "Read", depth: 2, says: "All of it.", words: "All of it. ts" }],
        languages: ["TypeScript"],
      },
    ]);
  });

  it.each(["TypeScript", "Python", "Go", "Java"])(
    "that needs the SDK in %s installs it by commands of the quickstart, so that one folder serves for all (R-X190)",
    (language) => {
      const linesIn = (name: string): readonly string[] =>
        codeBlocks(readFileSync(`docs/guides/${name}.md`, "utf8"))
          .filter((block) => block.language === language)
          .filter(({ text, syntax }) => /sdks\/|npm install/.test(text) || syntax === "xml")
          .flatMap(({ text }) => text.split("\n"));
      const others = ["sign-people-in", "read-the-gateway", "receive-events"].flatMap(linesIn);
      expect(linesIn("quickstart")).toEqual(expect.arrayContaining([...others]));
      expect(others.length).toBeGreaterThan(0);
    },
  );

  it("about failed sign-ins has every check of the catalogue", () => {
    const markdown = readFileSync("generated/docs/guides/when-a-sign-in-fails.md", "utf8");
    expect(Object.keys(CHECKS).filter((name) => !markdown.includes(`(\`${name}\`)`))).toEqual([]);
  });
});

describe("the reader of the guides' tests notices", () => {
  const block = (fence: string) => codeBlocks(`# T\n\n${fence}\n`)[0] as ReturnType<typeof codeBlocks>[number];

  withScope((closeLater) => {
    let reader: Reader;
    beforeEach(async () => {
      reader = await Reader.begin({ API_KEY: "k" });
      closeLater(() => reader.end());
    });

    it("a command that fails", async () => {
      expect((await reader.follow(block("```sh\nfalse\necho on\n```"))).status).not.toBe(0);
    });

    it("a file that another block needs, and what an earlier block exported", async () => {
      await reader.follow(block('```sh\nexport CLIENT="a b"\n```'));
      await reader.follow(block('```ts file="x.txt"\nin the file\n```'));
      const { status, output } = await reader.follow(block('```sh\ncat x.txt; echo "$CLIENT"\n```'));
      expect({ status, output }).toEqual({ status: 0, output: "in the file\na b\n" });
    });

    it("a block that goes on although a value is empty", async () => {
      const silent = await reader.followWithout(block('```sh\necho "key: $API_KEY"\n```'));
      const speaking = await reader.followWithout(block(`\`\`\`sh\n: "\${API_KEY:?set API_KEY to it}"\n\`\`\``));
      expect(silent.get("API_KEY")?.status).toBe(0);
      expect(speaking.get("API_KEY")).toEqual({ status: 2, output: expect.stringContaining("set API_KEY to it") });
    });

    it("a program that ends although it was to stay", async () => {
      expect((await reader.follow(block("```sh stays='ready'\nexit 3\n```"))).status).toBe(3);
      expect(await reader.follow(block("```sh stays='ready'\necho ready; sleep 60\n```"))).toEqual({
        status: 0,
        output: "ready\n",
      });
    });
  });
});
