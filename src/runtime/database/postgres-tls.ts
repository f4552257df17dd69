import { CannotStart } from "../basis/errors.ts";

/** What `sslmode` may be: no TLS, TLS with any certificate, or TLS with one that is checked. */
const MODES = ["disable", "no-verify", "verify-full"];
/**
 * libpq's modes between. node-postgres 8 checks the certificate in each of them, warns of it in several lines, and will check
 * less from its next version on; we go on checking.
 */
const CHECKED_TOO = ["allow", "prefer", "require", "verify-ca"];

/** Demands of libpq's that node-postgres passes over in silence, with the values by which they demand something. */
const NOT_KEPT: Readonly<Record<string, RegExp>> = {
  channel_binding: /^require$/,
  gssencmode: /^require$/,
  require_auth: /./,
  requirepeer: /./,
  ssl_max_protocol_version: /./,
  ssl_min_protocol_version: /./,
  sslcrl: /./,
  sslcrldir: /./,
};

/** Words that other parameters may be. node-postgres takes any other for a wish for TLS, or for none, and may end the process. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ssl: ["true", "1", "0", "no-verify"],
  sslnegotiation: ["postgres", "direct"],
  uselibpqcompat: ["true", "false"],
};

/** The parameters of TLS that are judged here. */
export const DEMANDS: ReadonlySet<string> = new Set(Object.keys(NOT_KEPT));

/**
 * Makes what the URL says of TLS what it means here.
 * @throws CannotStart for a mode that does not exist, and for a demand that would not be kept.
 */
export function settleTls({ searchParams }: URL): void {
  for (const [name, demands] of Object.entries(NOT_KEPT)) {
    const value = searchParams.get(name);
    if (value !== null && demands.test(value))
      throw refused(
        `store-url demands ${name}=${value}, which nothing here keeps. Take it out; sslmode=verify-full checks the server's certificate at each connection.`,
      );
  }
  for (const [name, words] of Object.entries(WORDS)) {
    const value = searchParams.get(name);
    if (value !== null && !words.includes(value))
      throw refused(`store-url has ${name}=${value}, which does not exist. Write one of: ${words.join(", ")}.`);
  }
  const mode = searchParams.get("sslmode");
  if (mode !== null && ![...MODES, ...CHECKED_TOO].includes(mode))
    throw refused(`store-url has an sslmode that does not exist: ${mode}. Write sslmode=verify-full, or disable.`);
  assertOneWish(searchParams, mode);
  if (mode === null || MODES.includes(mode) || searchParams.get("uselibpqcompat") === "true") return;
  searchParams.set("sslmode", "verify-full");
}

/** @throws CannotStart for parameters of which one would be passed over for the other's sake. */
function assertOneWish(searchParams: URLSearchParams, mode: string | null): void {
  const ssl = searchParams.get("ssl");
  const off = mode === "disable" ? "sslmode=disable" : ssl === "0" ? "ssl=0" : undefined;
  const wishes = [
    ...(ssl !== null && ssl !== "0" ? [`ssl=${ssl}`] : []),
    ...(mode !== null && mode !== "disable" ? [`sslmode=${mode}`] : []),
    ...(searchParams.get("sslnegotiation") === "direct" ? ["sslnegotiation=direct"] : []),
  ];
  if (off !== undefined && wishes[0] !== undefined)
    throw refused(`store-url has ${off} and ${wishes[0]}: the one is without TLS, the other with it. Take one out.`);
  if (searchParams.has("sslcert") !== searchParams.has("sslkey"))
    throw refused("store-url has one of sslcert and sslkey, which belong together. Give both, or neither.");
  if (mode === "verify-ca" && searchParams.get("uselibpqcompat") === "true" && !searchParams.get("sslrootcert"))
    throw refused(
      "store-url has sslmode=verify-ca without sslrootcert. Name the file of the server's authority in it.",
    );
}

const refused = (sentence: string): CannotStart => new CannotStart(sentence, { exitCode: 78 });

/** The certificate was refused, whatever the reason. */
const CERTIFICATE = /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** What an error of node-postgres or of the server says. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The place in the server that raised it. */
  readonly routine?: string | undefined;
}

/**
 * What a failure of TLS says about a server, and what to do; `undefined` when it is another failure. The server's messages
 * are in its own language (`lc_messages`): its refusals are known by their place in it.
 * @param isEncrypted Whether the connection has TLS.
 */
export function tlsAdvice({ code, message, routine }: Refusal, isEncrypted: boolean): string | undefined {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `has a certificate for other names (${code}). Write one of its names in store-url, or give it a certificate with this one.`;
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return `has a certificate that is not good today (${code}). Renew it, or set this machine's clock.`;
  if (CERTIFICATE.test(code))
    return `has a certificate that is not accepted (${code}). Name the file of its authority in store-url: sslrootcert=<file>.`;
  if (code === "EPROTO" && /unsupported protocol|protocol version/.test(message))
    return `speaks no TLS that is safe (${code}). Let it speak TLS 1.2 or newer: see its ssl_max_protocol_version.`;
  if (message === "The server does not support SSL connections")
    return "does not speak TLS, which store-url asks for by sslmode. Turn on its ssl; take sslmode out only where no network lies between.";
  if (code === "28000" && routine === "ClientAuthentication" && !isEncrypted)
    return `takes no connection of this role without TLS (${code}). Add sslmode=verify-full to store-url.`;
  return undefined;
}
