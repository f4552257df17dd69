import { z } from "zod";
import { CannotStart } from "../basis/errors.ts";
import { ageingOf } from "../process/certificate-ageing.ts";
import { wholeNumber } from "../process/setting-schemas.ts";
import { defineSettings, type Mistake, mistake, setting, type Values } from "../process/settings.ts";
import { clientCertificateTime, openClientKeyAdvice } from "./client-certificate.ts";
import { settleStoreUrl } from "./store-url-parameters.ts";

/** A list of hosts, which libpq takes, would be looked up as one name. */
export function isPostgresUrl(text: string): boolean {
  const { protocol = "", hostname = "", searchParams = new URLSearchParams() } = URL.parse(text) ?? {};
  return /^postgres(ql)?:$/.test(protocol) && ![hostname, ...searchParams.getAll("host")].join("").includes(",");
}

export const databaseSettings = defineSettings({
  "store-url": setting<string | undefined>({
    schema: z
      .string({ error: "must be text" })
      .refine(isPostgresUrl, { error: "must be a postgresql:// URL of one host" }),
    fallback: undefined,
    meaning:
      "PostgreSQL store, postgresql://user:password@host/database. Without it the embedded store in the data directory is used.",
    neededBy: ["services"],
    secret: true,
  }),
  "store-connections": setting({
    schema: wholeNumber(2, 200),
    fallback: 10,
    meaning: "Most connections to PostgreSQL that one services process opens.",
    neededBy: ["services"],
  }),
  "store-connect-timeout-ms": setting({
    schema: wholeNumber(100, 60_000),
    fallback: 5_000,
    unit: "milliseconds",
    meaning:
      "How long a new connection to PostgreSQL may take, a request may wait for a free one, a write for a lock, and a transaction for its beginning.",
    neededBy: ["services"],
  }),
  "store-statement-timeout-ms": setting({
    schema: wholeNumber(100, 600_000),
    fallback: 15_000,
    unit: "milliseconds",
    meaning:
      "How long one statement may take on PostgreSQL. The server ends it; a server that stays silent for two seconds longer loses the connection.",
    neededBy: ["services"],
  }),
  "store-transaction-timeout-ms": setting({
    schema: wholeNumber(100, 600_000),
    fallback: 30_000,
    unit: "milliseconds",
    meaning: "How long one transaction may keep a connection to PostgreSQL. Exports are exempt.",
    neededBy: ["services"],
  }),
  "audit-kept-days": setting({
    schema: wholeNumber(30, 36_500),
    fallback: 400,
    unit: "days",
    meaning: "How long entries of the audit log are kept.",
    neededBy: ["services"],
  }),
  "store-migration-timeout-ms": setting({
    schema: wholeNumber(1_000, 86_400_000),
    fallback: 3_600_000,
    unit: "milliseconds",
    meaning: "How long one statement of a migration may take on PostgreSQL, and the migrations together.",
    neededBy: ["services"],
  }),
});

/** Names the certificate that proves us to the server. */
export const CLIENT_CERTIFICATE = "sslcert in store-url";

/** Mistakes in what a valid URL asks for. */
export function storeMistakes({ "store-url": url }: Values<typeof databaseSettings>): readonly Mistake[] {
  if (url === undefined) return [];
  try {
    settleStoreUrl(new URL(url));
    return [];
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return [mistake(error.message, "store-url")];
  }
}

/** What a start warns of where it uses PostgreSQL. */
export function storeWarnings({ "store-url": url }: Values<typeof databaseSettings>, now: Date): readonly string[] {
  if (url === undefined) return [];
  const openKey = openClientKeyAdvice(url);
  const time = clientCertificateTime(url);
  const ageing = time && ageingOf(time, now, CLIENT_CERTIFICATE);
  return [
    ...(openKey === undefined ? [] : [openKey]),
    ...(ageing === undefined ? [] : [`The certificate that proves us to PostgreSQL ${ageing.sentence}.`]),
  ];
}
