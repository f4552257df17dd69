import { CommandError, EXIT, type ExitCode } from "../command-error.ts";
import { readFlags, readNumber, readUrl } from "../flags.ts";
import { askPatiently, membersOf } from "../gateway/gateway.ts";
import { GATEWAY_FLAGS, gatewayOf } from "../gateway/gateway-flags.ts";
import { chooseSubscriptions } from "../gateway/subscriptions.ts";
import { readSigningSecret } from "../private-input.ts";
import { painter, type Surroundings, variableOf } from "../terminal.ts";
import { conform } from "./conform.ts";
import { conforms, type Finding } from "./finding.ts";
import { makeKeyPairFile, readKeyPairFile } from "./key-pair-file.ts";
import { shownFinding, summary } from "./report.ts";
import { type RequestMaker, requestMakerByGateway, requestMakerBySigner } from "./request-maker.ts";
import { keyPairSigner, type Scheme, type Signer, secretSigner } from "./signer.ts";

export const CONFORM_HELP = `Scores a receiver of events: posts genuine, repeated, odd and forged events of
every type to it, and compares its answers with the rules for receivers. The
events are test events. The gateway signs them for your subscription: an API key
is all that is needed. With the signing secret, or with a key pair for tests
where the receiver verifies by a public key, no Gatehouse is needed.

Usage: <command> conform <url> [flags]
       <command> conform --new-key-pair <path>

  --gateway <url>         address of the gateway that signs; otherwise
                          GATEWAY_URL
  --key-file <path>       file with an API key that has the scope webhooks;
                          otherwise API_KEY, or a question
  --subscription <name>   id or label; needed when there are several
  --scheme v1a            the gateway's signatures by key pair (v1 unless given)
  --secret-file <path>    file with the endpoint's signing secret (whsec_…), in
                          place of the gateway; otherwise WEBHOOK_SECRET, or a
                          question where no gateway is named either
  --key-pair-file <path>  file with a private key (whsk_…), in place of a
                          secret: every signature is v1a (Ed25519)
  --new-key-pair <path>   makes a key pair for --key-pair-file: writes the
                          private key to a new file, prints the public key
                          (whpk_…) for your receiver, and scores nothing
  --count-url <url>       address of yours that answers GET with the number of
                          events you have dealt with, as a number or as
                          {"count": 3}: shows whether repeated and forged events
                          have effects
  --timeout <seconds>     how long an answer may take, 1 to 60 (15, as in
                          production)
  --json                  one JSON document instead of the report

Ends with 0 when every check that can be seen is passed, with 1 when one failed
or the gateway refused, with 2 for wrong arguments, and with 3 when the gateway
that signs cannot be reached.`;

const EXAMPLE = "<command> conform http://localhost:3000/webhooks";
const NEW_KEY_PAIR_EXAMPLE = "<command> conform --new-key-pair conform.key";

/** `conform <url>`, and `conform --new-key-pair <path>` */
export async function conformCommand(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values, positionals } = readFlags(words, {
    ...GATEWAY_FLAGS,
    scheme: { type: "string" },
    secret: { type: "string" },
    "secret-file": { type: "string" },
    "key-pair-file": { type: "string" },
    "new-key-pair": { type: "string" },
    "count-url": { type: "string" },
    timeout: { type: "string" },
    json: { type: "boolean" },
  });
  const { "new-key-pair": newFile, "count-url": countUrl, timeout = "15", json = false } = values;
  if (newFile !== undefined) {
    if (positionals.length > 0 || Object.keys(values).length > 1)
      throw new CommandError("--new-key-pair takes no address and no other flag.", {
        fix: `Make the key pair first: ${NEW_KEY_PAIR_EXAMPLE}`,
      });
    return newKeyPair(newFile, surroundings);
  }
  if (positionals.length > 1) throw new CommandError("Give one address.", { fix: `For example: ${EXAMPLE}` });
  const scoring = {
    url: readUrl(positionals[0], "The address of your receiver", EXAMPLE),
    countUrl:
      countUrl === undefined
        ? undefined
        : readUrl(countUrl, "--count-url", `${EXAMPLE} --count-url http://localhost:3000/count`),
    timeoutMs: readNumber(timeout, "--timeout", [1, 60]) * 1000,
    maker: await requestMakerOf(values, surroundings),
  };
  const { stdout } = surroundings;
  const paint = painter(stdout);
  const findings: Finding[] = [];
  for await (const finding of conform(scoring)) {
    findings.push(finding);
    if (!json && finding.result !== "not judged") stdout.write(shownFinding(finding, paint));
  }
  const isGood = conforms(findings);
  stdout.write(
    json
      ? `${JSON.stringify({ url: scoring.url.href, conforms: isGood, checks: findings })}\n`
      : `\n${summary(findings, paint)}`,
  );
  return isGood ? EXIT.ok : EXIT.refused;
}

/** Prints the public key alone on standard output, so that a script can take it from there. */
async function newKeyPair(path: string, { stdout, stderr }: Surroundings): Promise<ExitCode> {
  const { publicText } = await makeKeyPairFile(path);
  stdout.write(`${publicText}\n`);
  stderr.write(
    `Give your receiver this public key for the run with --key-pair-file ${path}; it is for tests, never Gatehouse's own.\n`,
  );
  return EXIT.ok;
}

const SECRET_FIX =
  "It was shown when the subscription was made. With a public key, a receiver is scored by --key-pair-file. With an API key the gateway signs: --gateway, --key-file.";

const GATEWAY_FIX = "Or have the gateway sign: set GATEWAY_URL and API_KEY.";

interface KeyFlags {
  readonly secret?: string | undefined;
  readonly "secret-file"?: string | undefined;
  readonly "key-pair-file"?: string | undefined;
}

interface GatewayFlags {
  readonly gateway?: string | undefined;
  readonly key?: string | undefined;
  readonly "key-file"?: string | undefined;
  readonly subscription?: readonly string[] | undefined;
  readonly scheme?: string | undefined;
}

/**
 * By what a flag names; otherwise by WEBHOOK_SECRET; otherwise by the gateway of the environment, whose key is asked for if
 * need be; otherwise by a secret that is asked for.
 * @throws CommandError when flags name two.
 */
async function requestMakerOf(values: KeyFlags & GatewayFlags, surroundings: Surroundings): Promise<RequestMaker> {
  const isSigner = named(values.secret, values["secret-file"], values["key-pair-file"]);
  const isGateway = named(values.gateway, values.key, values["key-file"], values.subscription, values.scheme);
  if (isSigner && isGateway)
    throw new CommandError("The requests are signed here or by the gateway, not by both.", {
      fix: "Give --gateway, --key-file, --subscription and --scheme, or a secret or key pair.",
    });
  const isThere = (variable: string) => variableOf(surroundings, variable) !== undefined;
  return isGateway || (!isSigner && !isThere("WEBHOOK_SECRET") && isThere("GATEWAY_URL"))
    ? await byGateway(values, surroundings)
    : requestMakerBySigner(await signerOf(values, surroundings), () => new Date());
}

const named = (...values: readonly unknown[]): boolean => values.some((value) => value !== undefined);

async function byGateway(values: GatewayFlags, surroundings: Surroundings): Promise<RequestMaker> {
  const scheme = schemeOf(values.scheme);
  const gateway = await gatewayOf(values, surroundings);
  const [{ id }, ...others] = await chooseSubscriptions(gateway, values.subscription);
  if (others.length > 0)
    throw new CommandError("A receiver is scored for one subscription.", { fix: "Give one --subscription." });
  if (scheme === "v1") return requestMakerByGateway(gateway, id, { scheme, publicKeys: [] });
  const path = `/v1/webhooks/subscriptions/${id}/public-keys`;
  const { data } = (await askPatiently(gateway, { path, isExpected: isKeyList }).catch(noneOf)) as KeyList;
  if (data.length === 0)
    throw new CommandError("The subscription has no key pair: nothing of it is signed with v1a.", {
      fix: `Make one: POST /v1/webhooks/subscriptions/${id}/secrets with {"kind": "asymmetric"}. Or leave --scheme out.`,
    });
  return requestMakerByGateway(gateway, id, { scheme, publicKeys: data.map(({ publicKey }) => publicKey) });
}

function schemeOf(given = "v1"): Scheme {
  if (given !== "v1" && given !== "v1a") throw new CommandError("--scheme is v1 or v1a.");
  return given;
}

/** A subscription without key pairs has no such list. */
function noneOf(error: unknown): KeyList {
  if (error instanceof CommandError && error.reason === "subscription_not_found") return { data: [] };
  throw error;
}

interface KeyList {
  readonly data: readonly { readonly publicKey: string }[];
}

function isKeyList(body: unknown): boolean {
  const { data } = membersOf(body);
  return Array.isArray(data) && data.every((one) => typeof membersOf(one).publicKey === "string");
}

/** Signs with the key pair of a file, otherwise with the signing secret. @throws CommandError when both are named. */
async function signerOf(values: KeyFlags, surroundings: Surroundings): Promise<Signer> {
  const { secret, "secret-file": secretFile, "key-pair-file": keyPairFile } = values;
  if (keyPairFile === undefined)
    return secretSigner(await readSigningSecret(values, surroundings, SECRET_FIX, GATEWAY_FIX));
  if (secret !== undefined || secretFile !== undefined)
    throw new CommandError("A receiver is scored by a secret or by a key pair, not by both at once.", {
      fix: "Give --secret-file or --key-pair-file. A receiver that takes both is scored twice.",
    });
  return keyPairSigner(await readKeyPairFile(keyPairFile));
}
