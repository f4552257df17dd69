import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Webhook } from "standardwebhooks";

/** Values from the operator of Gatehouse at registration, and this program's own addresses. */
export interface Settings {
  /** The sign-on server. */
  readonly issuer: string;
  /** The gateway, without a slash at its end. */
  readonly gatewayUrl: string;
  /** This program's public address; it listens on the port of this address. */
  readonly sampleUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Exactly as registered: Gatehouse compares it byte for byte. */
  readonly redirectUri: string;
  readonly apiKey: string;
  /** Where Gatehouse sends its events. */
  readonly endpointUrl: string;
  /** Starts with `whsec_`. */
  readonly signingSecret: string;
  /** Where events are listed after a restart; without it they are in memory only. */
  readonly eventsFile: string | undefined;
}

/** The settings that must have a value. */
type Value = Exclude<keyof Settings, "eventsFile">;

/** Everything that is wrong with the settings, one line each. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

interface Source {
  /** The environment variable; it overrides the file. */
  readonly env: string;
  /** Path of the value in the file. */
  readonly path: string;
  /** Describes what is wrong with a given value; undefined when it is valid. */
  readonly check?: (value: string) => string | undefined;
}

const SOURCES: Record<Value, Source> = {
  issuer: { env: "SAMPLE_ISSUER", path: "issuer", check: webAddress },
  gatewayUrl: { env: "SAMPLE_GATEWAY_URL", path: "gatewayUrl", check: webAddress },
  sampleUrl: { env: "SAMPLE_URL", path: "sampleUrl", check: webAddress },
  clientId: { env: "SAMPLE_CLIENT_ID", path: "application.clientId" },
  clientSecret: { env: "SAMPLE_CLIENT_SECRET", path: "application.clientSecret" },
  redirectUri: { env: "SAMPLE_REDIRECT_URI", path: "application.redirectUri", check: webAddress },
  apiKey: { env: "SAMPLE_API_KEY", path: "apiKey", check: headerValue },
  endpointUrl: { env: "SAMPLE_ENDPOINT_URL", path: "webhook.endpointUrl", check: webAddress },
  signingSecret: { env: "SAMPLE_SIGNING_SECRET", path: "webhook.signingSecret", check: signingSecret },
};

const DEFAULT_FILE = resolve(import.meta.dirname, "../../../.gatehouse/demo.json");

/**
 * Reads the file named by GATEHOUSE_DEMO_FILE and the environment variables above.
 * @throws SettingsError with every problem at once.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const file = env.GATEHOUSE_DEMO_FILE ? resolve(env.GATEHOUSE_DEMO_FILE) : DEFAULT_FILE;
  const { content, problem } = readFile(file);
  const problems: string[] = [];
  const values: Partial<Record<Value, string>> = {};
  for (const [name, { env: variable, path, check }] of Object.entries(SOURCES) as [Value, Source][]) {
    const value = env[variable] || valueAt(content, path);
    const wrong = value === undefined ? "is missing" : check?.(value);
    if (wrong) problems.push(`${variable} (${path} in the file) ${wrong}`);
    else values[name] = value as string;
  }
  if (problems.length > 0) throw new SettingsError(problem ? [problem, ...problems] : problems);
  const found = values as Record<Value, string>;
  const gatewayUrl = new URL(found.gatewayUrl).href.replace(/\/+$/, "");
  // Beside the settings file; who gives every value by the environment gives this one too, or goes without.
  const eventsFile =
    env.SAMPLE_EVENTS_FILE || (content === undefined ? undefined : join(dirname(file), "sample-events.jsonl"));
  return Object.freeze({ ...found, gatewayUrl, eventsFile });
}

/** A missing file is not a problem in itself: the environment may have every value. */
function readFile(file: string): { content?: unknown; problem?: string } {
  try {
    return { content: JSON.parse(readFileSync(file, "utf8")) };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${file} is not JSON` };
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { problem: `${file} does not exist: run \`make run\` in Gatehouse's folder first` };
    return { problem: `${file} cannot be read (${code})` };
  }
}

function valueAt(content: unknown, path: string): string | undefined {
  let value = content;
  for (const name of path.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function webAddress(value: string): string | undefined {
  const protocol = URL.parse(value)?.protocol;
  return protocol === "http:" || protocol === "https:" ? undefined : "is not an http or https address";
}

function headerValue(value: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(value) ? undefined : "holds characters that no HTTP header can carry";
}

function signingSecret(value: string): string | undefined {
  try {
    new Webhook(value);
    return undefined;
  } catch {
    return "is not a signing secret (whsec_ and base64)";
  }
}
