import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { closed } from "../../tools/contracts/closed-schema.ts";
import { violationsOf } from "./contract.ts";

/** One POST as a subscriber receives it. */
export interface ReceivedPost {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact bytes. */
  readonly body: Buffer;
}

interface AsyncApiDocument {
  readonly components: { readonly messages: Readonly<Record<string, { readonly name: string }>> };
}

interface MessageValidators {
  readonly headers: ValidateFunction;
  readonly payload: ValidateFunction;
}

const FILE = join(import.meta.dirname, "..", "..", "generated", "contracts", "webhooks.asyncapi.json");

function load(): ReadonlyMap<string, MessageValidators> {
  const document = JSON.parse(readFileSync(FILE, "utf8")) as AsyncApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Every real POST carries headers of the transport too, so only payloads are closed.
  ajv.addSchema(document as AnySchema, "open");
  ajv.addSchema(closed(document) as AnySchema, "closed");
  return new Map(
    Object.entries(document.components.messages).map(([key, { name }]) => {
      const place = `#/components/messages/${key}`;
      const headers = ajv.compile({ $ref: `open${place}/headers` });
      return [name, { headers, payload: ajv.compile({ $ref: `closed${place}/payload` }) }];
    }),
  );
}

let messages: ReadonlyMap<string, MessageValidators> | undefined;

/** Where a received POST departs from the AsyncAPI document; empty when it keeps it. The message is chosen by the body's `type`. */
export function eventDepartures({ headers, body }: ReceivedPost): readonly string[] {
  messages ??= load();
  let payload: { readonly id?: unknown; readonly type?: unknown };
  try {
    payload = JSON.parse(body.toString("utf8"));
  } catch {
    return ["the body is not JSON"];
  }
  const message = messages.get(String(payload.type));
  if (message === undefined)
    return [`the type ${JSON.stringify(payload.type)} is not one of ${[...messages.keys()].join(", ")}`];
  const departures: string[] = [];
  if (!message.headers(headers)) departures.push(...violationsOf(message.headers).map((text) => `headers: ${text}`));
  if (!message.payload(payload)) departures.push(...violationsOf(message.payload).map((text) => `payload: ${text}`));
  if (headers["webhook-id"] !== payload.id) departures.push("headers: webhook-id must equal id in the body");
  return departures;
}
