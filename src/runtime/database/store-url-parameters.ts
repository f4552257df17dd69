import { CannotStart } from "../basis/errors.ts";
import { isPort } from "../basis/url-port.ts";
import { DEMANDS, settleTls } from "./postgres-tls.ts";

/** Parameters that node-postgres would take from the URL in the place of ours. */
const OURS = ["options", "application_name"];

/** What node-postgres, or this program in its place, does as it says. */
const DONE: ReadonlySet<string> = new Set([
  ...["application_name", "options"],
  ...["host", "port", "user", "password"],
  ...["ssl", "sslcert", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "uselibpqcompat"],
  "lock_timeout",
]);

interface PassedOver {
  /** The values by which it asks for nothing. */
  readonly idle?: RegExp;
  readonly instead: string;
}

const KEPT_ALIVE: PassedOver = {
  instead: "A connection whose server is silent is given up after store-statement-timeout-ms and two seconds.",
};
const WRITE_IT_ALL: PassedOver = { instead: "Write user, password, host and database in store-url itself." };
const NO_GSSAPI: PassedOver = { instead: "The server's rules of access (pg_hba.conf) must ask for a password here." };

/** Other parameters of libpq and its kin, which node-postgres passes over in silence or ours replace, and what to do instead. */
const PASSED_OVER: Readonly<Record<string, PassedOver>> = {
  client_encoding: { idle: /^(?:auto|utf-?8)$/i, instead: "Every connection speaks UTF-8." },
  connect_timeout: { instead: "Set store-connect-timeout-ms." },
  dbname: { instead: "Write the database behind the host, after a slash." },
  fallback_application_name: { instead: "Write application_name." },
  gssdelegation: { ...NO_GSSAPI, idle: /^0$/ },
  gsslib: NO_GSSAPI,
  hostaddr: { instead: "Write the address as the host." },
  idle_in_transaction_session_timeout: { instead: "Set store-transaction-timeout-ms." },
  keepalives: { ...KEPT_ALIVE, idle: /^1$/ },
  keepalives_count: KEPT_ALIVE,
  keepalives_idle: KEPT_ALIVE,
  keepalives_interval: KEPT_ALIVE,
  krbsrvname: NO_GSSAPI,
  load_balance_hosts: { idle: /^disable$/, instead: "One host is connected to." },
  passfile: WRITE_IT_ALL,
  query_timeout: { instead: "Set store-statement-timeout-ms." },
  replication: { idle: /^(?:false|off|no|0)$/, instead: "Connections are ordinary ones." },
  requiressl: { idle: /^0$/, instead: "Write sslmode=verify-full." },
  service: WRITE_IT_ALL,
  servicefile: WRITE_IT_ALL,
  sslcertmode: { idle: /^allow$/, instead: "The certificate of sslcert is sent when the server asks for one." },
  sslcompression: { idle: /^0$/, instead: "Nothing is compressed." },
  sslpassword: { instead: "Name a key without a password in sslkey." },
  sslsni: { idle: /^1$/, instead: "The server is always sent its name." },
  statement_timeout: { instead: "Set store-statement-timeout-ms." },
  target_session_attrs: {
    idle: /^any$/,
    instead:
      "Let the host's name or address follow the primary: a connection to a server that has become a standby is given up by itself.",
  },
  tcp_user_timeout: KEPT_ALIVE,
};

/**
 * Leaves in the URL what node-postgres is to do, as it does it. Options and a name are taken out: they join ours.
 * @throws CannotStart when the URL has a plain #, or a parameter that would be passed over in silence.
 */
export function settleStoreUrl(url: URL): void {
  if (url.hash)
    throw new CannotStart("store-url has a #, which cuts off what follows it. Write it as %23.", { exitCode: 78 });
  for (const parameter of OURS) url.searchParams.delete(parameter);
  assertDone(url);
  settleTls(url);
}

/**
 * Asserts that nothing in the URL's query is passed over in silence. Of a parameter whose value may be a secret only the name is
 * said, and not even that where it may be the rest of a password (S50).
 * @throws CannotStart naming the first parameter that would be.
 */
function assertDone({ searchParams }: URL): void {
  for (const [name, value] of searchParams) {
    if (DONE.has(name) || DEMANDS.has(name)) {
      if (searchParams.getAll(name).length > 1)
        throw new CannotStart(`store-url has ${name} twice: only the last would count. Write it once.`, {
          exitCode: 78,
        });
      // node-postgres would take the digits at the beginning, and wait forever for a connection to a port that there is not.
      if (name === "port" && value !== "" && !isPort(value))
        throw new CannotStart("store-url has a port among its parameters that is none from 1 to 65535. Correct it.", {
          exitCode: 78,
        });
      continue;
    }
    const passedOver = Object.hasOwn(PASSED_OVER, name) ? PASSED_OVER[name] : undefined;
    if (passedOver?.idle?.test(value)) continue;
    if (passedOver === undefined && [...searchParams].flat().some((part) => part.includes("@")))
      throw new CannotStart(
        "store-url has an @ behind its first ?, and what follows a ? counts as parameters. Write ? as %3F in a password, and @ as %40.",
        { exitCode: 78 },
      );
    throw new CannotStart(
      passedOver === undefined
        ? `store-url has a parameter that is not known here: ${name}. Take it out, or correct its name; docs/operations/postgresql.md has those that there are.`
        : `store-url has ${passedOver.idle === undefined ? name : `${name}=${value}`}, which has no effect here. Take it out. ${passedOver.instead}`,
      { exitCode: 78 },
    );
  }
}
