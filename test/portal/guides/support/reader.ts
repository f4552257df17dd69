import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { assigns, type CodeBlock, PLACEHOLDERS } from "../../../../tools/guides/code-blocks.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
/** What the reader's shell has exported so far. */
const EXPORTED = ".exported";
/** The block under way, as printed. */
const BLOCK = ".block";
/** What a machine may need to reach the registries of its languages: a proxy, and certificates of its own. */
const NETWORK = /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(CURL|REQUESTS)_CA_BUNDLE|PIP_CERT)$/i;

/** A later block sees what an earlier one exported, as in one terminal. */
const TYPED = `. ./${EXPORTED}; . ./${BLOCK}; export -p > ${EXPORTED}`;

type Typed = ChildProcessByStdio<null, Readable, Readable>;

/** What was left running. */
interface Staying {
  readonly child: Typed;
  /** The terminal that it is in; undefined for the first. */
  readonly terminal: string | undefined;
  /** What it has printed. */
  readonly output: () => string;
}

/** How a block ended. */
export interface Ran {
  readonly status: number | null;
  /** Both streams, as a terminal shows them. */
  readonly output: string;
}

/** Somebody with a terminal who does what a guide says, block by block, in a folder of their own. */
export class Reader {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #files = new Map<string, string>();
  readonly #staying: Staying[] = [];

  private constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#environment = environment;
  }

  /** A reader who has this hand-over file and, as an operator, the command line of this installation. */
  static async begin(handOver: Readonly<Record<string, string>>, dataDirectory = ""): Promise<Reader> {
    const folder = await mkdtemp(join(tmpdir(), "gh-reader-"));
    const lines = Object.entries(handOver).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder, "handover.env"), lines.join(""));
    await writeFile(join(folder, EXPORTED), lines.map((line) => `export ${line}`).join(""));
    const path = [join(ROOT, "bin"), dirname(process.execPath), process.env.PATH].join(":");
    const { HOME, LANG, JAVA_HOME } = process.env;
    const network = Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name)));
    const own = { PATH: path, HOME, LANG, JAVA_HOME, GATEHOUSE_DATA_DIRECTORY: dataDirectory };
    const state = { XDG_STATE_HOME: join(folder, ".state") };
    return new Reader(folder, { ...network, ...own, ...state });
  }

  /** Makes packages of this repository importable, by name and path, as an installer would. */
  async findPackages(packages: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, path] of Object.entries(packages)) {
      const place = join(this.folder, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(ROOT, path), place);
    }
    await writeFile(join(this.folder, "package.json"), '{ "type": "module" }');
  }

  /** The reader copies a value from elsewhere into the terminal. */
  take(name: string, value: string): Promise<void> {
    return appendFile(join(this.folder, EXPORTED), `export ${name}='${value}'\n`);
  }

  /** What the program that was started last has printed; waits until it has printed this. */
  async printed(text: string): Promise<string> {
    const { child, output } = this.#staying.at(-1) ?? {};
    while (child?.exitCode === null && !output?.().includes(text))
      await Promise.race([once(child.stdout, "data"), once(child, "close")]);
    return output?.() ?? "";
  }

  /** Saves the block as a file, or types it into the terminal as printed. */
  async follow(block: CodeBlock): Promise<Ran> {
    if (block.file === undefined) return block.stays === undefined ? this.#type(block.text) : this.#leave(block);
    const path = join(this.folder, block.file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${block.text}\n`);
    this.#files.set(block.file, block.text);
    return { status: 0, output: "" };
  }

  /** What the block says when each value of the reader's own is empty in turn, by the value's name. */
  async followWithout(block: CodeBlock): Promise<ReadonlyMap<string, Ran>> {
    const files = [...this.#files].filter(([name]) => block.text.includes(name));
    const texts = [block.text, ...files.map(([, text]) => text)];
    const used = PLACEHOLDERS.filter((name) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
    const ran = new Map<string, Ran>();
    for (const name of used.filter((one) => !assigns(block.text, one)))
      ran.set(name, await this.#type(block.text, `. ./${EXPORTED}; ${name}=; . ./${BLOCK}`));
    return ran;
  }

  /** The reader ends what goes on, as by Ctrl-C; the ports are free then. */
  endWhatRuns(): Promise<void> {
    return this.#endOf(this.#staying);
  }

  async #endOf(staying: readonly Staying[]): Promise<void> {
    for (const { child } of staying.filter(
      ({ child: { exitCode, signalCode } }) => exitCode === null && signalCode === null,
    )) {
      const ended = once(child, "close");
      // The whole group: the children of a shell would stay. Closed: they have ended too.
      process.kill(-(child.pid ?? 0), "SIGTERM");
      await ended;
    }
  }

  async end(): Promise<void> {
    await this.endWhatRuns();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #type(text: string, script = TYPED): Promise<Ran> {
    const { child, output } = await this.#begin(text, script);
    const [status] = (await once(child, "close")) as [number | null];
    return { status, output: output() };
  }

  /** Starts what goes on, and waits until it is ready. */
  async #leave({ text, stays = "", terminal }: CodeBlock): Promise<Ran> {
    await this.#endOf(this.#staying.filter((other) => other.terminal === terminal));
    const { child, output } = await this.#begin(text, `. ./${EXPORTED}; . ./${BLOCK}`);
    this.#staying.push({ child, terminal, output });
    return new Promise((resolve) => {
      const look = () => output().includes(stays) && resolve({ status: 0, output: output() });
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.on("close", (status) => resolve({ status, output: output() }));
    });
  }

  async #begin(text: string, script: string) {
    await writeFile(join(this.folder, BLOCK), `${text}\n`);
    const child = spawn("sh", ["-e", "-c", script], {
      cwd: this.folder,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
    return { child, output: () => said };
  }
}
