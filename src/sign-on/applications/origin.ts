/** Why an origin cannot be registered, as the end of a sentence about it; `undefined` when it can (R-S15, RFC 6454 §6.1). */
export function originProblem(origin: string, { development }: { readonly development: boolean }): string | undefined {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    return "is not an origin as browsers send it, like https://app.example, without path and trailing slash";
  const { protocol, hostname } = new URL(origin);
  if (protocol === "https:" || (development && protocol === "http:" && hostname === "localhost")) return undefined;
  return "must be https (http is for localhost under the development switch)";
}
