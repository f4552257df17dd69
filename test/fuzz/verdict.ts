import { contractDepartures } from "../support/contract.ts";
import type { FuzzRequest, Known } from "./gateway-requests.ts";
import type { RawAnswer } from "./raw-connection.ts";

/** Traces of a program's insides. */
const INSIDES = /\n\s+at |node:internal|node_modules|\.ts:\d+|\.js:\d+|SQLITE_|select \S+ from/;

/** What is wrong with an answer, whatever was asked; empty when nothing is. */
export function faultsOf(request: FuzzRequest, answer: RawAnswer, known: Known): readonly string[] {
  const { method, target, headers } = request;
  const { status, text } = answer;
  const closed = answer.headers.get("connection") === "close";
  const exchange = {
    method: closed && method === "HEAD" ? "GET" : method,
    url: target,
    status,
    headers: answer.headers,
    text,
  };
  const departures = contractDepartures(exchange);
  // A request that is no HTTP is refused before there is an operation, and the connection ends with it.
  const unrouted = closed && contractDepartures({ ...exchange, unrouted: true });
  const written = JSON.stringify([...answer.headers]) + text;
  const keys = headers.filter(([name]) => name === "x-api-key").map(([, value]) => value);
  const proven = keys.length === 1 && known.goodKeys.includes(keys[0]?.trim() ?? "");
  const rules: readonly (readonly [boolean, string])[] = [
    [status >= 500, `status ${status}`],
    [departures.length > 0 && (unrouted === false || unrouted.length > 0), `contract: ${departures.join("; ")}`],
    [INSIDES.test(written), "it shows the program's insides"],
    [known.goodKeys.some((key) => written.includes(key)), "it repeats the key"],
    [!proven && [200, 304, 412].includes(status), `status ${status} without a good key`],
    [proven && status === 401, "status 401 with a good key"],
    [answer.headers.get("set-cookie") !== null, "it sets a cookie"],
    [
      [...answer.headers.keys()].some((name) => name.startsWith("access-control")),
      "it allows another origin something",
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
}
