import { proxyActivities, setCurrentDetails } from "@temporalio/workflow";

export interface AuthorizationCodeExpiryInput {
  /** The minute in which codes were issued: `2026-11-20T07:05Z`. */
  readonly minute: string;
}

export interface ExpiredPage {
  readonly expired: number;
  /** More are due. */
  readonly more: boolean;
}

/** Activities of `authorizationCodeExpiry`, which the worker provides. */
export interface CodeExpiryActivities {
  /** Marks one bounded page of expired codes, whenever they were issued. */
  expireCodes(): Promise<ExpiredPage>;
}

/** Most pages of one run; the next minute's run handles the rest. */
const PAGES_MAX = 200;

const { expireCodes } = proxyActivities<CodeExpiryActivities>({ startToCloseTimeout: "30s" });

/**
 * Records that authorization codes expired unused (spec §3). Started once for each minute in which codes were issued,
 * when the last of them has expired. A run handles everything that is due, so it also does the work of a missed run. A
 * code's validity never depends on it (R-S9).
 */
export async function authorizationCodeExpiry({ minute }: AuthorizationCodeExpiryInput): Promise<string> {
  let expired = 0;
  let more = true;
  let pages = 0;
  while (more && pages < PAGES_MAX) {
    pages++;
    const page = await expireCodes.executeWithOptions(
      { startToCloseTimeout: "30s", summary: `codes that are past their end, page ${pages}` },
      [],
    );
    expired += page.expired;
    more = page.more;
  }
  const sentence = `${expired} ${expired === 1 ? "code" : "codes"} expired unused; looked at because some were issued at ${minute}.`;
  setCurrentDetails(sentence);
  return more ? `${sentence} More are due, and left to the next run.` : sentence;
}
