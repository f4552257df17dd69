import { shellWord, wrap } from "#runtime/basis/terminal-lines.ts";
import type { Paint } from "../output/paint.ts";
import type { DemoPerson } from "./demo-file.ts";
import type { DemoProgress } from "./progress.ts";

export interface DemoPageValues {
  readonly version: string;
  readonly issuer: string;
  readonly healthUrl: string;
  /** How the roles call each other, in a word or two. */
  readonly carrier: string;
  /** Where retries can be watched; `undefined` when the store runs them. */
  readonly temporal: string | undefined;
  /** Why it cannot be used now; may end with the command that fixes it. */
  readonly temporalTrouble: string | undefined;
  readonly socketDirectory: string;
  readonly sample: { readonly url: string } | { readonly missing: string };
  /** The first one is invited at the beginning. */
  readonly people: readonly DemoPerson[];
  readonly progress: DemoProgress;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly apiKey: string;
  readonly demoFile: string;
  readonly logFile: string | undefined;
  /** The command line's path from here. */
  readonly command: string;
  /** Flags that make it find this Gatehouse, quoted for a shell. */
  readonly commandFlags: readonly string[];
}

const WIDTH = 80;
const LABEL_WIDTH = 14;
const MARGIN = "  ";

/**
 * The page that a demonstration prints once it runs: addresses, people who can sign in, things to try. At most 80
 * columns wide unless a value is longer.
 */
export function demoPage(values: DemoPageValues, paint: Paint): string {
  const { strong, label } = paint;
  const fact = (name: string, value: string) => `${MARGIN}${label(name.padEnd(LABEL_WIDTH))}${value}`;
  const under = (text: string) => wrap(text, WIDTH - MARGIN.length - LABEL_WIDTH).map((line) => fact("", label(line)));
  const { sample } = values;
  const emailWidth = Math.max(...values.people.map(({ email }) => email.length));
  const lines = [
    "",
    `${MARGIN}${strong("Gatehouse")} ${values.version} ${label("runs here, with invented data.")}`,
    "",
    fact("Open", strong(values.issuer)),
    ...under("Sign-on, gateway, contracts and the front page, at one address."),
    ...("url" in sample
      ? [fact("Sample", strong(sample.url))]
      : wrap(sample.missing, WIDTH - MARGIN.length - LABEL_WIDTH).map((line, index) =>
          fact(index === 0 ? "Sample" : "", line),
        )),
    ...("url" in sample ? under("An application as an integrator would write it. Begin here.") : []),
    fact("Management", values.healthUrl),
    fact("Calls", `${values.carrier}; sockets in ${values.socketDirectory}`),
    ...(values.temporal === undefined ? [] : [fact("Retries", values.temporal)]),
    ...(values.temporalTrouble === undefined ? [] : retriesWait(values.temporalTrouble, under)),
    "",
    ...values.people.flatMap(({ email, password, note }, index) => [
      fact(index === 0 ? "Sign in as" : "or as", `${email.padEnd(emailWidth)}  ${password}`),
      ...under(index === 0 && values.progress.hasSignedIn ? "ACTIVE: her first sign-in was before this start." : note),
    ]),
    "",
    fact("Application", values.clientId),
    fact("its secret", values.clientSecret),
    fact("API key", values.apiKey),
    "",
    `${MARGIN}${strong("Next")}`,
    ...steps(values).flatMap(([first = "", ...rest], index) => [
      `${MARGIN}${index + 1}. ${first}`,
      ...rest.map((line) => `${MARGIN}   ${line}`),
    ]),
    "",
    ...wrap(whereKept(values), WIDTH - MARGIN.length).map((line) => `${MARGIN}${label(line)}`),
    `${MARGIN}${label("Ctrl-C ends everything.")}`,
    "",
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Three things to try, each a few lines. What happens once only is not asked for again. */
function steps(values: DemoPageValues): readonly (readonly string[])[] {
  const { sample, people, progress, issuer, command, commandFlags } = values;
  const line = (...words: string[]) => foldCommand([command, ...words, ...commandFlags]);
  const create = line("tenants create", "--instance Europe", `--name ${shellWord(progress.newClientName)}`);
  const sent = ["See what was sent, and how it went:", ...line("deliveries list")];
  if (!("url" in sample))
    return [[`Open ${issuer} and see what is published.`], ["Create a client of the platform:", ...create], sent];
  const signIn = `Sign in at ${sample.url} as ${people[0]?.email}`;
  if (progress.hasSignedIn)
    return [
      [
        ...wrap(`Create a client of the platform, and watch client.created arrive at ${sample.url}:`, WIDTH - 5),
        ...create,
      ],
      wrap(`${signIn}, and see what the application is given. Earlier events are still listed there.`, WIDTH - 5),
      sent,
    ];
  return [
    wrap(`${signIn}, then watch user.updated arrive there.`, WIDTH - 5),
    ["Create a client of the platform; client.created arrives likewise:", ...create],
    sent,
  ];
}

/** The sentence below the address, and its command on lines that can be copied. */
function retriesWait(trouble: string, under: (text: string) => readonly string[]): readonly string[] {
  const [sentence, command] = trouble.split(/(?<= with:) /);
  return [
    ...under(`They wait: ${sentence}`),
    ...foldCommand(command?.split(/ (?=--)/) ?? []).map((line) => `${MARGIN}   ${line}`),
  ];
}

const whereKept = ({ demoFile, logFile }: DemoPageValues): string =>
  `Kept in ${demoFile}, which only you can read${logFile === undefined ? "" : `; log in ${logFile}`}.`;

/**
 * One command, on as many lines as it takes; each but the last ends with a backslash, so that it can be copied
 * unchanged.
 */
function foldCommand(parts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${part} \\`.length <= WIDTH - 5) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(last === undefined ? part : `  ${part}`);
  }
  return lines.map((text, index) => (index < lines.length - 1 ? `${text} \\` : text));
}
