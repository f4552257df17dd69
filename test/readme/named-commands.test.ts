import { globSync, readFileSync } from "node:fs";
import { allSettings } from "../../src/config.ts";
import { gatehouse } from "../cli/command-line.ts";

/** What people copy commands from. The change log and decisions may name what is gone by now. */
const PAPERS = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/{guides,operations,rulings}/*.md"],
  ...["src/**/README.md", "examples/*/README.md", "desk/README.md"],
].flatMap((pattern) => globSync(pattern));

/** Their flags are settings, which no help lists one by one, and these besides. */
const SET_UP = ["serve", "demo", "config", "store restore", "store restored", "store migrate", "store copy"];
const SET_UP_FLAGS = new Set([
  ...["--config", "--role", "--json", "--plan", "--to"],
  ...Object.keys(allSettings).flatMap((name) => [`--${name}`, `--${name}-file`]),
]);

interface NamedCommand {
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

/** Commands, those of the desk included, in blocks of code and between backticks, each up to a pipe, a semicolon or a bracket. */
function commandsIn(text: string): readonly NamedCommand[] {
  const spans = [...text.matchAll(/^ *```[^\n]*\n([\s\S]*?)```|`([^`]+)`/gm)].map(
    ([, block, span]) => block ?? span?.replaceAll(/\s+/g, " ") ?? "",
  );
  return spans.flatMap((span) =>
    [
      ...span
        .replaceAll(/ *\\\n */g, " ")
        .matchAll(
          /(?:^ *|bin\/|\$\(|\$ )(?:gatehouse(?:-webhooks)?|npx \.\/desk) ([a-z][a-z-]*(?: [a-z][a-z-]*)*)(?![\w-])([^\n|;)]*)/gm,
        ),
    ].map(([, words = "", rest = ""]) => ({
      words: words.split(" "),
      flags: rest.match(/(?<=\s|^)--[a-z][a-z-]*/g) ?? [],
    })),
  );
}

const helps = new Map<string, Promise<string>>();

function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(" ");
  const help = helps.get(key) ?? gatehouse([...words, "--help"]).then(({ stdout }) => stdout);
  helps.set(key, help);
  return help;
}

/** What is wrong with a command that a paper names: a noun or verb that there is not, or flags that it does not have. */
async function mistakesIn({ words, flags }: NamedCommand): Promise<readonly string[]> {
  const command: string[] = [];
  let help = await helpOf(command);
  for (const word of words) {
    const isGroup = command.length === 0 || help.includes("<verb>");
    if (isGroup && !new RegExp(`^  ${word} `, "m").test(help)) return [words.join(" ")];
    if (!isGroup) break;
    command.push(word);
    help = await helpOf(command);
  }
  const isSetUp = SET_UP.includes(command.join(" "));
  return flags
    .filter(
      (flag) => flag !== "--help" && !new RegExp(`${flag}\\b(?!-)`).test(help) && !(isSetUp && SET_UP_FLAGS.has(flag)),
    )
    .map((flag) => `${command.join(" ")} ${flag}`);
}

const mistakesOf = async (text: string): Promise<readonly string[]> =>
  (await Promise.all(commandsIn(text).map(mistakesIn))).flat();

describe("The commands that papers name", () => {
  it.each(PAPERS)("are commands with flags that they have: %s", async (path) => {
    expect(await mistakesOf(readFileSync(path, "utf8"))).toEqual([]);
  });

  it("are found in blocks and between backticks, and so is what there is not", async () => {
    const text =
      "Try `gatehouse people\nexplode maren`, `gatehouse people erase maren --yes --twice` or:\n\n" +
      "```sh\ngatehouse-webhooks listen --forward-too x\nbin/gatehouse subscriptions \\\n  update reader --endpont-url x\ngatehouse serve --public-prot 1\n```\n";
    expect(await mistakesOf(text)).toEqual([
      "people explode maren",
      "people erase --twice",
      "listen --forward-too",
      "subscriptions update --endpont-url",
      "serve --public-prot",
    ]);
  });

  it("are many", () => {
    expect(PAPERS.flatMap((path) => commandsIn(readFileSync(path, "utf8"))).length).toBeGreaterThan(150);
  });
});
