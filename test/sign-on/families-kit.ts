import {
  ApplicationAuthentication,
  type ExchangeTokenRequest,
} from "../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import type { Database } from "../../src/runtime/database/database.ts";
import { createSealer } from "../../src/runtime/sealing/sealing.ts";
import { digestOf } from "../../src/sign-on/digest.ts";
import { tokenFamilyRepository } from "../../src/sign-on/refresh-tokens/token-family-repository.ts";
import type { FamiliesTable, SignOnTables } from "../../src/sign-on/tables.ts";
import { earlierTokenRepository } from "../../src/sign-on/token-numbers/earlier-token-repository.ts";
import { familyNumbers } from "../../src/sign-on/token-numbers/family-number.ts";
import { numberedTokens } from "../../src/sign-on/token-numbers/numbered-tokens.ts";
import { obtainCode } from "../support/browser.ts";
import { REDIRECT_URI, type World } from "../support/world.ts";
import type { SignOn } from "./sign-on-fixture.ts";

export const TEST_MASTER_KEY = Buffer.alloc(32, 7);

/** Token texts as the fixture's sign-on writes and reads them, unless it has other master keys. */
export const testTokens = (...masterKeys: readonly Buffer[]) =>
  numberedTokens(createSealer(masterKeys.length > 0 ? masterKeys : [TEST_MASTER_KEY], systemRandom), systemRandom);

export const familiesOf = (db: Database<SignOnTables>) =>
  tokenFamilyRepository({ db, tokens: testTokens(), earlier: earlierTokenRepository(db) });

/** One for all codes that tests write, so that no two have a number. */
const numbers = familyNumbers(systemRandom);

/** Makes codes as sign-ins would leave them, without the sign-ins: each like one that a browser obtained. */
export async function codesLike({ url, db }: SignOn, world: World) {
  const tokens = testTokens();
  const digest = digestOf(await obtainCode(url, world));
  const pattern = await db
    .selectFrom("sign_on_families")
    .selectAll()
    .where("token_digest", "=", digest)
    .executeTakeFirstOrThrow();
  return (changed: Partial<FamiliesTable> = {}): { readonly code: string; readonly row: FamiliesTable } => {
    const row = { ...pattern, ...changed };
    // A millisecond later than the product's own of this moment, which have other numbers so.
    const number = numbers.next(new Date(row.issued_at + 1));
    const code = tokens.newCode(number);
    return { code, row: { ...row, number, token_digest: digestOf(code) } };
  };
}

const credentials = ({ application }: World) => ({
  authentication: ApplicationAuthentication.POST,
  applicationId: application.id,
  secret: application.secret,
});

/** A request to redeem a code, as services get it. */
export const redeeming = (world: World, code: string, codeVerifier: string | null = null): ExchangeTokenRequest => ({
  application: credentials(world),
  grant: { $case: "authorizationCode", value: { code, redirectUri: REDIRECT_URI, codeVerifier } },
});

/** A request for new tokens, as services get it. */
export const refreshing = (world: World, refreshToken: string): ExchangeTokenRequest => ({
  application: credentials(world),
  grant: { $case: "refreshToken", value: { refreshToken, scopes: [] } },
});
