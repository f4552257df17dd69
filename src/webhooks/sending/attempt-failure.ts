import type { Outcome } from "../deliveries/outcome.ts";
import { AddressForbidden, NameUnresolved } from "./address-guard.ts";

/** OpenSSL's verdicts on certificates and Node's own on TLS, by the beginnings of their codes. */
const TLS =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_|ERROR_IN_C|PATH_LENGTH|SUBJECT_ISSUER|AKID_|KEYUSAGE)/;
const PROTOCOL = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_INVALID_ARG)/;
const TIMEOUT = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;

/** Why no complete answer came. Everything that fits nowhere else is the connection's fault. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof AddressForbidden) return "address";
  if (error instanceof NameUnresolved) return "dns";
  const { code = "", name } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (TIMEOUT.test(code)) return "timeout";
  if (PROTOCOL.test(code) || name === "HTTPParserError") return "protocol";
  return TLS.test(code) ? "tls" : "connection";
}
