/** How a case is brought about on a running product: what to send, and to which of its installations. */
export interface Ask {
  /** Done right before, for what passes by itself. */
  readonly first?: () => Promise<void>;
  /** `whole` unless given. The others have services that fail, or that cannot be reached. */
  readonly at?: "whole" | "failing" | "unreachable";
  /** In place of the path's own values. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly basic?: { readonly id: string; readonly secret: string };
  readonly json?: object;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Why a case cannot be brought about for a subject; reads on after "not applicable, because". */
export class NotApplicable {
  readonly because: string;

  constructor(because: string) {
    this.because = because;
  }
}

/** One for each subject that asks the product; `Prefer` says to the mock what to answer. */
export interface SetUp {
  readonly server: Ask | NotApplicable;
  readonly sdk: Ask | NotApplicable;
}

export const notApplicable = (because: string): NotApplicable => new NotApplicable(because);

/** The same for server and SDK. */
export const both = (ask: Ask | NotApplicable): SetUp => ({ server: ask, sdk: ask });

/** Which installation answers with this status, where the request is as for any other. */
export const elsewhere = (status: number): Pick<Ask, "at"> => {
  if (status === 500) return { at: "failing" };
  return status === 503 ? { at: "unreachable" } : {};
};

/** Longer than any body may be. */
const LONG = "x".repeat(70_000);

/** A form that is answered with this status: `refused` with 400, too long with 413, no form with 415. */
export function posted(form: Record<string, string>, refused: Record<string, string>, status: number): Ask {
  switch (status) {
    case 400:
      return { form: refused };
    case 413:
      return { form: { ...form, form_token: LONG } };
    case 415:
      return { json: form };
    default:
      return { ...elsewhere(status), form };
  }
}
