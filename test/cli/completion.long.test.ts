import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SAMPLE_TYPES } from "../../desk/src/sample-events.ts";
import { newFolder } from "../support/folder.ts";
import { describeWith, type OptionalPart } from "../support/optional-part.ts";
import { gatehouse } from "./command-line.ts";

type Shell = "bash" | "zsh" | "fish";

const scriptFor = async (shell: Shell): Promise<string> => (await gatehouse(["completion", shell])).stdout;

const needs = (shell: Shell): OptionalPart => ({
  name: `completion in ${shell}`,
  missing: spawnSync(shell, ["-c", "exit 0"]).status === 0 ? undefined : `${shell} is not installed`,
});

/** What Tab offers after the words, the last of which is being typed. */
type Ask = (script: string, words: readonly string[]) => Promise<readonly string[]>;

const asks: Readonly<Record<Shell, Ask>> = {
  async bash(script, words) {
    const run = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gatehouse; printf "%s\\n" "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", run, "bash", script, "gatehouse", ...words]);
    return stdout.split("\n").filter((line) => line !== "");
  },
  async zsh(script, words) {
    // The builtins of completion work at a terminal only: these say what they were given.
    const run = `compdef() { : }; _files() { : }; _describe() { local -a all; all=("\${(@P)2}"); print -l -- "\${(@)all%%:*}" }
compadd() { shift; print -l -- "$@" }
. "$1"; shift; words=("$@"); CURRENT=$#; PREFIX="\${words[CURRENT]}"; _gatehouse`;
    const { stdout } = await promisify(execFile)("zsh", ["-fc", run, "zsh", script, "gatehouse", ...words]);
    return stdout.split("\n").filter((line) => line !== "" && line.startsWith(words.at(-1) ?? ""));
  },
  async fish(script, words) {
    const run = "source $argv[1]; complete -C $argv[2]";
    const { stdout } = await promisify(execFile)("fish", ["-c", run, script, ["gatehouse", ...words].join(" ")]);
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
  },
};

/** Flags whose values are a closed list, wherever they are. */
const CLOSED = ["--event-type", "--type", "--scope", "--grant-type", "--kind", "--consent", "--algorithm", "--scheme"];

describe("gatehouse completion", () => {
  it("offers event types to trigger that it can make", async () => {
    const types = /'trigger'\) commands='([^']*)'/.exec(await scriptFor("bash"))?.[1];
    expect(types?.split(" ").toSorted()).toEqual(SAMPLE_TYPES.toSorted());
  });

  it.each(CLOSED)("offers the values of %s, whichever command has it", async (flag) => {
    const script = await scriptFor("bash");
    const places = [...script.matchAll(/^ {4}'([^']*)'\) commands='[^']*' flags='([^']*)'/gm)];
    const having = places.filter(([, , flags = ""]) => flags.split(" ").includes(flag)).map(([, path]) => path);
    expect(having.length).toBeGreaterThan(0);
    expect(having.filter((path) => !script.includes(`'${path} ${flag}') COMPREPLY=`))).toEqual([]);
  });
});

describe.each<Shell>(["bash", "zsh", "fish"])("gatehouse completion %s", (shell) => {
  it("names every noun, verb and flag of --help", async () => {
    const script = await scriptFor(shell);
    for (const word of ["applications", "redirect-uris", "rotate-secret", "onboard", "serve"])
      expect(script).toContain(word);
    expect(script).toContain(shell === "fish" ? "-l hand-over" : "--hand-over");
  });

  describeWith(needs(shell), `asked by ${shell} itself`, () => {
    let folder: string;
    let offered: (...words: readonly string[]) => Promise<readonly string[]>;

    beforeAll(async () => {
      folder = newFolder("gh-completion-");
      const file = join(folder, "script");
      await writeFile(file, await scriptFor(shell));
      offered = (...words) => asks[shell](file, words);
    });

    it("offers nouns", async () => {
      expect(await offered("te")).toEqual(["tenants"]);
      expect(await offered("")).toEqual(expect.arrayContaining(["applications", "onboard", "serve", "completion"]));
    });

    it("offers the verbs of a noun, of a noun below it too", async () => {
      expect([...(await offered("tenants", ""))].sort()).toEqual(["create", "erase", "list", "show", "update"]);
      expect([...(await offered("applications", "redirect-uris", ""))].sort()).toEqual(["add", "list", "remove"]);
    });

    it("offers the flags of a verb, and those that every command has", async () => {
      expect(await offered("tenants", "create", "--na")).toEqual(["--name"]);
      expect(await offered("tenants", "create", "--js")).toEqual(["--json"]);
    });

    it("offers the values of a flag, and of an argument, that is one of a few", async () => {
      expect([...(await offered("applications", "create", "--kind", ""))].sort()).toEqual(["browser", "native", "web"]);
      expect(await offered("completion", "z")).toEqual(["zsh"]);
    });

    it("offers the values of a flag that takes several after the first one too", async () => {
      const states = ["cancelled", "delivered", "exhausted", "pending", "skipped"];
      expect([...(await offered("deliveries", "list", "--state", ""))].sort()).toEqual(states);
      expect([...(await offered("deliveries", "list", "--state", "pending", ""))].sort()).toEqual(states);
      expect(await offered("deliveries", "list", "--state", "pending", "skipped", "ex")).toEqual(["exhausted"]);
      expect(await offered("deliveries", "list", "--state", "pending", "--js")).toEqual(["--json"]);
    });

    it.each([
      ["trigger", "cl"],
      ["subscriptions", "test", "--event-type", "cl"],
      ["subscriptions", "create", "--event-type", "cl"],
      ["onboard", "--event-type", "cl"],
      ["events", "list", "--type", "cl"],
    ])("offers event types: %s %s %s %s", async (...words) => {
      expect(await offered(...words.filter((word) => word !== undefined))).toEqual(["client.created"]);
    });

    it.each<[string, readonly string[]]>([
      ["applications create --scope o", ["offline_access", "openid"]],
      ["applications update --grant-type r", ["refresh_token"]],
      ["audit list --action application.en", ["application.enable", "application.endPreviousSecret"]],
      ["listen --from o", ["oldest"]],
      ["conform --scheme v1a", ["v1a"]],
      ["serve --role e", ["edge"]],
      ["api-keys issue --scope read --scope w", ["webhooks"]],
    ])("offers values that the services or the desk check: %s", async (words, values) => {
      expect([...(await offered(...words.split(" ")))].sort()).toEqual(values);
    });

    it("is not led astray by flags before the verb", async () => {
      expect([...(await offered("--json", "tenants", "l"))]).toEqual(["list"]);
    });
  });
});
