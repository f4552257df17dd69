import { connect } from "node:net";
import samples from "#generated/docs/samples.json" with { type: "json" };
import { operations } from "#generated/operations/gateway.ts";
import { giving, type Place } from "../../conformance/examples/browsing.ts";
import { EXAMPLE } from "../../conformance/examples/example-names.ts";
import { plantExampleWorld } from "../../conformance/examples/example-world.ts";
import { exampleApiKey, shownRequests } from "../../conformance/examples/shown-requests.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import type { Closer } from "../../support/scope.ts";
import {
  type Environment,
  type Ran,
  runSample,
  type SampleCommand,
  shellCommand,
  startSample,
} from "./running-samples.ts";
import { samplesIn } from "./served-samples.ts";

const WEBHOOK_SECRET = "whsec_Z2F0ZWhvdXNlIHB1Ymxpc2hlZCB0ZXN0IHZlY3RvciE=";
const OTHER_SECRET = "whsec_QW5vdGhlciBzZWNyZXQsIHdoaWNoIGlzIG5vdCB0aGUgb25l";

const isOfWebhooks = (operationId: string): boolean =>
  operations[operationId as keyof typeof operations].path.startsWith("/v1/webhooks/");

/** Reads of the gateway; what is about own webhooks; operations of sign-on that programs call; event types. */
export const SAMPLED = {
  gateway: Object.keys(samples.gateway).filter((operationId) => !isOfWebhooks(operationId)),
  webhooks: Object.keys(samples.gateway).filter(isOfWebhooks),
  signOn: Object.entries(samples["sign-on"])
    .filter(([operationId, sample]) => "programs" in sample && operationId !== "authorize" && operationId !== "logout")
    .map(([operationId]) => operationId),
  events: Object.keys(samples.events),
} as const;

/** The example of the good answer, by operation. */
export const ANSWERS = new Map(shownRequests().map(({ operationId, answer }) => [operationId, answer?.body]));

/** The first word of three letters or more that the sample printed, to be found in the example's answer. */
export const firstWordOf = ({ stdout }: Ran): string =>
  stdout.split(/\s+/).find((one) => /^\w{3,}/.test(one)) ?? "nothing was printed";

/** The product with the examples' data, and the samples as it serves them. */
export interface SampleWorld {
  readonly place: Place;
  renew(): Promise<void>;
  /** The text of a sample, as a reader copies it. */
  find(name: string, language: string): string;
  /** What the operation's samples take from the environment. */
  secretsFor(operationId: string): Promise<Environment>;
}

export async function openSampleWorld(closeLater: (closer: Closer) => void): Promise<SampleWorld> {
  const gatehouse = await openGatehouse(closeLater);
  const place = { url: gatehouse.url, signOn: gatehouse.signOn };
  const world = await plantExampleWorld(gatehouse.dataDirectory, exampleApiKey());
  closeLater(async () => world.close());
  const served = new Map<string, string>();
  for (const page of ["sign-on", "gateway", "events"])
    for (const { entry, language, code } of samplesIn((await call(place.url, `/docs/${page}`)).text))
      served.set(`${entry} ${language}`, code);
  return {
    place,
    renew: () => world.renew(),
    // An event's place in its page is its name without dots and underscores.
    find(name, language) {
      const code = served.get(`${name.replaceAll(/[._]/g, "").toLowerCase()} ${language}`);
      if (code === undefined) throw new Error(`The reference shows no ${language} of ${name}.`);
      return code;
    },
    async secretsFor(operationId) {
      const given = operationId.endsWith("Userinfo") ? await giving.accessTokenInBody(place) : {};
      const hinted = operationId === "logout" ? await giving.idToken(place) : {};
      return {
        API_KEY: exampleApiKey(),
        CLIENT_SECRET: EXAMPLE.applicationSecret,
        REFRESH_TOKEN: EXAMPLE.refreshToken,
        ACCESS_TOKEN: given.values?.access_token ?? "none",
        ID_TOKEN: hinted.values?.id_token_hint ?? "none",
      };
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** What a receiver answered to a genuine event and to a forged one, both sent by the sample in curl, and what it printed. */
export async function tryReceiver(receiver: SampleCommand, sender: string) {
  const port = await freePort();
  const environment = { WEBHOOK_SECRET, PORT: String(port), ENDPOINT: `http://127.0.0.1:${port}/` };
  const started = startSample(receiver, environment);
  try {
    await eventually(() => listens(port), Boolean);
    const genuine = await runSample(shellCommand(sender), environment);
    const forged = await runSample(shellCommand(sender), { ...environment, WEBHOOK_SECRET: OTHER_SECRET });
    const printed = await eventually(
      async () => started.output(),
      (output) => output.includes("\n"),
    );
    return {
      genuine: genuine.stdout.split("\r\n", 1)[0] ?? "",
      forged: forged.stdout.split("\r\n", 1)[0] ?? "",
      printed,
    };
  } finally {
    await started.end();
  }
}
