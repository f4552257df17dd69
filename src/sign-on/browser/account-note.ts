import type { EdgeRequest } from "#runtime/http/operation.ts";
import { type CookieChange, type Cookies, cookieHeaderOf } from "./cookies.ts";

/** What became of a person's last form: a change that was made, or none, since nobody was signed in any more. */
const ACCOUNT_NOTES = ["session", "access", "password", "everywhere", "nobody"] as const;

type AccountNote = (typeof ACCOUNT_NOTES)[number];

interface NoteTools {
  readonly cookies: Cookies;
}

const NOTE_SECONDS = 60;

/**
 * Tells the next page of this browser, once. The note is a cookie, since an address could be sent by anybody, be
 * bookmarked or be loaded again (R-X352).
 */
export const noteFor = (note: AccountNote, { cookies }: NoteTools): CookieChange => ({
  name: cookies.note,
  value: note,
  maxAgeSeconds: NOTE_SECONDS,
});

/** The note for this page, and the cookies that take it away. */
export function takeNote(
  request: EdgeRequest,
  { cookies }: NoteTools,
): { readonly note: AccountNote | undefined; readonly setCookie: readonly string[] } {
  const value = cookies.read(cookieHeaderOf(request), cookies.note);
  return {
    note: ACCOUNT_NOTES.find((note) => note === value),
    setCookie: value === undefined ? [] : [cookies.write({ name: cookies.note, value: undefined })],
  };
}
