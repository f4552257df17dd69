import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { CONFORM_HELP } from "../../desk/src/conform/conform-command.ts";
import { LISTEN_HELP } from "../../desk/src/listen/listen-command.ts";
import { TRIGGER_HELP } from "../../desk/src/trigger-command.ts";
import { EXAMPLES } from "../../src/cli/examples.ts";
import { gatehouse } from "./command-line.ts";

/** The commands that a help shows as examples. */
const examplesIn = (help: string): readonly string[] =>
  (help.split(/^Examples?:\n/m)[1]?.split("\n\n")[0] ?? "").split("\n").filter((line) => line !== "");

const VERBS: Readonly<Record<string, readonly string[]>> = {
  instances: ["create", "rename", "list"],
  tenants: ["create", "update", "show", "list", "erase"],
  users: [
    "invite",
    "list",
    "show",
    "assign-manager",
    "assign-role",
    "edit-permissions",
    "enable",
    "disable",
    "delete",
    "erase",
  ],
  roles: ["list", "create", "update"],
  workers: ["onboard", "update", "end", "show", "list", "erase"],
  "unit-types": ["create", "rename", "list", "erase"],
  units: ["create", "update", "list", "erase"],
  locations: ["create", "delete", "list"],
  integrations: ["create", "list", "connect", "rename", "configure", "unconfigure", "revoke"],
  "api-keys": ["issue", "list", "find", "revoke"],
  applications: ["create", "list", "show", "update", "disable", "enable", "delete", "rotate-secret", "redirect-uris"],
  subscriptions: ["create", "list", "show", "update", "pause", "resume", "enable", "ping", "delete", "test", "secrets"],
  deliveries: ["list", "show", "reveal", "resend", "release"],
  recoveries: ["start", "start-all", "list", "show", "pause", "resume", "cancel"],
  events: ["list", "explain"],
  people: ["show", "update", "disable", "enable", "explain", "invite", "reset", "sessions", "erase"],
  passwords: ["set"],
  store: ["status", "backup", "master-keys", "reseal", "restore", "restored", "migrate", "copy"],
  "signing-keys": ["list", "rotate", "revoke"],
  refusals: ["list"],
  tokens: ["explain"],
  audit: ["list", "show"],
};

/** Nouns that belong to another one. */
const NESTED: Readonly<Record<string, readonly string[]>> = {
  "applications redirect-uris": ["add", "list", "remove"],
  "subscriptions secrets": ["list", "rotate", "revoke"],
};

/** Commands without a verb. */
const ALONE = [
  ...["serve", "demo", "config", "explain", "import", "export", "seed", "onboard", "completion"],
  ...["listen", "trigger", "conform"],
];

describe("help", () => {
  it("names every noun and what runs Gatehouse, each of which is tried here, and the exit codes", async () => {
    const { exitCode, stdout, stderr } = await gatehouse(["--help"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const named = [...stdout.matchAll(/^ {2}(?!gatehouse )([a-z][a-z-]*) /gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([...Object.keys(VERBS), ...ALONE].toSorted());
    expect(stdout).toContain("Exit codes:");
  });

  it.each(Object.entries({ ...VERBS, ...NESTED }))("of %s names its verbs", async (noun, verbs) => {
    const { stdout } = await gatehouse([...noun.split(" "), "--help"]);
    expect([...stdout.matchAll(/^ {2}([a-z][a-z-]*) {2}/gm)].map(([, name]) => name)).toEqual(verbs);
  });

  const all = Object.entries({ ...VERBS, ...NESTED }).flatMap(([noun, verbs]) =>
    verbs.map((verb) => `${noun} ${verb}`),
  );

  it.each(["", ...Object.keys(VERBS), ...all, ...ALONE])(
    "of “%s” fits into 80 columns, begins with a sentence and explains every flag",
    async (words) => {
      const { exitCode, stdout } = await gatehouse([...words.split(" ").filter((word) => word !== ""), "--help"]);
      expect(exitCode).toBe(0);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(stdout).toMatch(/^[A-Z][\s\S]*?\.\n\n/);
      expect(stdout).toMatch(/^ {2}(?:-\w, )?--[a-z-]+/m);
      expect(stdout).not.toMatch(/^ {2}(?:-\w, )?--[a-z-]+(?: <[^>\n]*>)? *\n(?! {4})/m);
    },
  );

  it.each(["", ...Object.keys(VERBS), ...all, ...ALONE])(
    "of “%s” fits into a narrow terminal, but for what is copied or cannot be split, and says the same there",
    async (words) => {
      const asked = [...words.split(" ").filter((word) => word !== ""), "--help"];
      const wide = (await gatehouse(asked)).stdout;
      const narrow = stripVTControlCharacters((await gatehouse(asked, { columns: 40 })).stdout);
      const tooLong = narrow.split("\n").filter((line) => line.length > 40);
      // A command, its flag with a value, and one long word.
      expect(tooLong.filter((line) => !/^ *((Usage: )?gatehouse |--[a-z-]+ |\S+$)/.test(line))).toEqual([]);
      const inWords = (help: string) => help.replaceAll(" \\\n", " ").split(/\s+/);
      expect(inWords(narrow)).toEqual(inWords(wide));
    },
  );

  it.each(["", ...Object.keys(VERBS), ...all, ...ALONE])(
    "of “%s” has an example and every exit code",
    async (words) => {
      const { stdout } = await gatehouse([...words.split(" ").filter((word) => word !== ""), "--help"]);
      expect(stdout).toMatch(/^Examples?:\n {2}gatehouse /m);
      expect(stdout).toMatch(/^Exit codes:\n {2}0 /m);
    },
  );

  it("says one way to give a flag several values, of every command: it is repeated", async () => {
    const flags: string[] = [];
    for (const words of ["", ...Object.keys(VERBS), ...all, ...ALONE]) {
      const { stdout } = await gatehouse([...words.split(" ").filter((word) => word !== ""), "--help"]);
      for (const [flag = "", name] of stdout.matchAll(/^ +(--[a-z-]+) <[^>]*>(?:.*\n)(?: {6,}[^- ].*\n)*/gm))
        if (/may be repeated/.test(flag.replaceAll(/\s+/g, " "))) flags.push(`${words} ${name}`);
      expect(stdout).not.toMatch(/^ +--[a-z-]+ <[^>]*\.\.\.>/m);
      expect(
        examplesIn(stdout).filter((example) => / --(state|scope|event-type) \S+ (?!--|\\)\S/.test(example)),
      ).toEqual([]);
    }
    expect(flags).toEqual(
      expect.arrayContaining([
        ...["deliveries list --state", "recoveries list --state", "recoveries start --state", "api-keys issue --scope"],
        ...["onboard --scope", "applications create --scope", "subscriptions create --event-type"],
      ]),
    );
  });

  it.each([
    ["api-keys issue --integration x --label y --scope read webhooks"],
    ["api-keys issue --integration x --label y --scope read --scope webhooks"],
    ["recoveries list --state running paused"],
    ["recoveries list --state running --state paused"],
  ])("takes several values behind one flag too, as scripts of earlier versions have them: %s", async (words) => {
    const { exitCode, stderr } = await gatehouse([...words.split(" "), "--data-directory", "/nowhere/at-all"]);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("Gatehouse is not running")]);
  });

  it("has an example for each command and for nothing else", () => {
    const nested = Object.keys(NESTED);
    const commands = [...all.filter((one) => !nested.includes(one)), ...ALONE];
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(commands.toSorted());
  });

  it("names all exit codes: 0 to 3, 65 for a store that cannot be used, and 78 for mistakes in the configuration", async () => {
    const { stdout } = await gatehouse(["--help"]);
    const codes = [...stdout.slice(stdout.indexOf("Exit codes:")).matchAll(/^ {2}(\d+) +\S/gm)].map(([, code]) => code);
    expect(codes).toEqual(["0", "1", "2", "3", "65", "78"]);
    const programs = ["serve", "demo", "config", "restore", "restored", "migrate", "copy"];
    expect(programs.filter((name) => !stdout.slice(stdout.indexOf("  78  ")).includes(name))).toEqual([]);
  });

  it.each(["serve", "demo", "config", "store restore", "store restored", "store migrate", "store copy"])(
    "of “%s” names 78 too",
    async (program) => {
      expect((await gatehouse([...program.split(" "), "--help"])).stdout).toContain(
        "78  mistakes in the configuration",
      );
    },
  );

  it.each(["serve", "demo", "store restore", "store restored", "store migrate", "store copy"])(
    "of “%s” names 65 too (R-X417)",
    async (program) => {
      expect((await gatehouse([...program.split(" "), "--help"])).stdout).toMatch(
        /^ {2}65 {2}this program cannot use/m,
      );
    },
  );

  it.each(["serve", "store restored", "store migrate", "store copy"])(
    "of “%s” offers a secret by its file, since the list of processes shows what is on a command line",
    async (program) => {
      const { stdout } = await gatehouse([...program.split(" "), "--help"]);
      expect(stdout).toMatch(/^ {2}--store-url-file <path> /m);
      expect(stdout).not.toMatch(/^ {2}--(?:store-url|master-keys) /m);
    },
  );

  it.each(["serve", "demo"])("of “%s” names what a supervisor sees of a disk and of a restore", async (program) => {
    const { stdout } = await gatehouse([program, "--help"]);
    const codes = [...stdout.slice(stdout.indexOf("Exit codes:")).matchAll(/^ {2}(\d+) +\S/gm)].map(([, code]) => code);
    expect(codes).toEqual(["0", "1", "65", "74", "75", "78"]);
    const sources = ["opened-store", "services"].map((name) => readFileSync(`src/roles/${name}.ts`, "utf8")).join("");
    const inSource = sources.matchAll(/^const EX_\w+ = (\d+);$/gm);
    expect([...inSource].map(([, code]) => code)).toEqual(["74", "75"]);
  });

  it.each([
    ["listen", LISTEN_HELP],
    ["trigger", TRIGGER_HELP],
    ["conform", CONFORM_HELP],
  ])("of “%s” says of it and of its flags what the package in desk/ says", async (tool, ofPackage) => {
    const { stdout } = await gatehouse([tool, "--help"]);
    const flags = (help: string) => new Set([...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag));
    expect(flags(stdout)).toEqual(flags(ofPackage));
    const plain = (help: string) => help.replaceAll(/\s+/g, " ");
    const [firstSentence = ""] = /^.+?\.(?= )/.exec(plain(ofPackage)) ?? [];
    expect(firstSentence).not.toBe("");
    expect(plain(stdout)).toContain(firstSentence);
    for (const fact of ["may be repeated", "API_KEY, or a question", "and instead of where it was", "Ctrl-C ends it"])
      expect([fact, plain(stdout).includes(fact)]).toEqual([fact, plain(ofPackage).includes(fact)]);
  });

  it("of “conform” has its own exit codes: checks, and the gateway that signs", async () => {
    const { stdout } = await gatehouse(["conform", "--help"]);
    const codes = stdout.slice(stdout.indexOf("Exit codes:"));
    expect(codes).toContain("1  a check failed, or Gatehouse refused");
    expect(codes).toContain("3  Gatehouse cannot be reached, where it signs");
  });

  it("of “seed” says what it makes without flags, as --dry-run counts it", async () => {
    const { stdout } = await gatehouse(["seed", "--help"]);
    const defaults = [...stdout.matchAll(/^ {2}--(\w+) <\w+> +[^\n]*(?:\n {6,}[^\n]*)*?\(default:\s+(\w+)\)/gm)];
    const given = defaults.flatMap(([, flag, value = ""]) => [`--${flag}`, value]);
    expect(given).toEqual(["--tenants", "10", "--workers", "1000", "--seed", "gatehouse"]);
    const counted = await gatehouse(["seed", "--dry-run", "--json"]);
    expect((await gatehouse(["seed", "--dry-run", "--json", ...given])).stdout).toBe(counted.stdout);
  });

  it("marks required flags", async () => {
    const { stdout } = await gatehouse(["tenants", "create", "--help"]);
    expect(stdout).toContain("Usage: gatehouse tenants create --instance <id or name> --name <text> [flags]\n");
  });
});

describe("a flag before a program", () => {
  it.each([
    ["serve", "--data-directory D serve"],
    ["demo", "--quiet demo --public-port 80"],
    ["config", "--ids config"],
    ["store migrate", "--data-directory D store migrate"],
    ["store migrate", "store --data-directory D migrate --plan"],
    ["store restore", "--data-directory D store restore file"],
    ["store copy", "--quiet store copy --to postgresql://host/name"],
    ["listen", "--quiet listen --forward-to http://localhost:3000"],
    ["conform", "--ids conform http://localhost:3000"],
  ])("is refused, where it would do nothing: %s", async (program, words) => {
    const name = program.split(" ").at(-1);
    expect(await gatehouse(words.split(" "))).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `gatehouse: Put the flags after ${name}.\nWrite: gatehouse ${program} … [flags]\nSee: gatehouse ${program} --help\n`,
    });
  });
});

describe("--version", () => {
  it("is the version of package.json, alone", async () => {
    const { exitCode, stdout } = await gatehouse(["--version"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([["--version --json"], ["--json --version"]])("is a JSON document with %s", async (words) => {
    const { exitCode, stdout } = await gatehouse(words.split(" "));
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }]);
  });
});
