import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { keyWithLookUpOf, lookUpOf } from "../../support/api-keys.ts";
import type { CallInit } from "../../support/http.ts";
import { seededRandom } from "../../support/random.ts";
import type { Workforce } from "../workforce-fixture.ts";

/** One way to come without a good key: what is sent, and what is put behind the path. */
export interface BadKey {
  readonly label: string;
  readonly headers: NonNullable<CallInit["headers"]>;
  readonly query?: string;
}

const sent = (label: string, key: string | readonly string[]): BadKey => ({ label, headers: { "x-api-key": key } });

/** Every way to come without a good key, given one that is good (R-G2, R-G11). */
export async function badKeys(workforce: Workforce, good: string, instanceId: string): Promise<readonly BadKey[]> {
  const revoked = await workforce.integration(instanceId);
  await workforce.operator.revokeApiKey({ apiKeyId: revoked.apiKeyId });
  const expired = await workforce.integration(instanceId);
  await workforce.raw(`update workforce_api_keys set expires_at = 1 where id = '${expired.apiKeyId}'`);
  const another = (await workforce.integration(instanceId)).secret;
  const last = good.endsWith("A") ? "B" : "A";
  return [
    { label: "missing", headers: {} },
    sent("empty", ""),
    sent("one character", "x"),
    sent("short", good.slice(0, -1)),
    sent("long", `${good}A`),
    sent("8,000 characters", "A".repeat(8_000)),
    sent("with a wrong checksum", good.slice(0, -1) + last),
    sent("with another prefix", `GHK_${good.slice(4)}`),
    sent("in small letters", good.toLowerCase()),
    sent("unknown", newApiKey(seededRandom("unknown"))),
    sent("with the look-up part of a good one and another secret", keyWithLookUpOf(good)),
    sent("with the look-up part of a revoked one and another secret", keyWithLookUpOf(revoked.secret)),
    sent("revoked", revoked.secret),
    sent("expired", expired.secret),
    sent("twice", [good, good]),
    sent("twice, with another good one", [good, another]),
    sent("twice, the second empty", [good, ""]),
    sent("twice in one line", `${good}, ${good}`),
    sent("in quotes", `"${good}"`),
    sent("as a bearer token in its own header", `Bearer ${good}`),
    { label: "as a bearer token", headers: { authorization: `Bearer ${good}` } },
    { label: "as ApiKey credentials", headers: { authorization: `ApiKey ${good}` } },
    {
      label: "as Basic credentials",
      headers: { authorization: `Basic ${Buffer.from(`:${good}`).toString("base64")}` },
    },
    { label: "in a cookie", headers: { cookie: `x-api-key=${good}` } },
    { label: "in a header spelt otherwise", headers: { x_api_key: good, "api-key": good, apikey: good } },
    { label: "in the query", headers: {}, query: `x-api-key=${good}&api_key=${good}` },
    { label: "as its proof", headers: { "x-api-key-lookup": lookUpOf(good), "x-api-key-digest": "0".repeat(64) } },
  ];
}
