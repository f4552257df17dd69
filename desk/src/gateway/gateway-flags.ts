import { CommandError } from "../command-error.ts";
import { readUrl } from "../flags.ts";
import { readPrivate } from "../private-input.ts";
import { type Surroundings, variableOf } from "../terminal.ts";
import { type Gateway, gatewayAt } from "./gateway.ts";

/** Flags of every command that asks the gateway. */
export const GATEWAY_FLAGS = {
  gateway: { type: "string" },
  key: { type: "string" },
  "key-file": { type: "string" },
  subscription: { type: "string", multiple: true },
} as const;

export const GATEWAY_HELP = `  --gateway <url>        address of the gateway; otherwise GATEWAY_URL
  --key-file <path>      file with an API key that has the scope webhooks;
                         otherwise API_KEY, or a question
  --subscription <name>  id or label; needed when there are several`;

interface GatewayValues {
  readonly gateway?: string | undefined;
  readonly key?: string | undefined;
  readonly "key-file"?: string | undefined;
}

/**
 * The gateway that the flags and the environment name.
 * @throws CommandError that says what is missing.
 */
export async function gatewayOf(values: GatewayValues, surroundings: Surroundings): Promise<Gateway> {
  const given = values.gateway ?? variableOf(surroundings, "GATEWAY_URL");
  const address = readUrl(given, "--gateway (or GATEWAY_URL)", "--gateway https://gateway.example");
  const key = await readPrivate(
    { what: "API key", flag: "--key", given: values.key, file: values["key-file"], variable: "API_KEY" },
    surroundings,
  );
  // Said here, and without the key: fetch would repeat it in what it says of a header.
  if (!/^[!-~]+$/.test(key))
    throw new CommandError("The API key has a space, a line break or a letter that no key has.", {
      fix: "Give the key alone, as it was shown: ghk_ and what follows.",
    });
  return gatewayAt(address, key);
}
