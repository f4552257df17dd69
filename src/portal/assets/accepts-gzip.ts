/** True when an Accept-Encoding names gzip, or everything, without forbidding it (`q=0`) (RFC 9110 §12.5.3). Absent: false. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  const codings = new Map(
    [header ?? ""]
      .flat()
      .join(",")
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight)] as const;
      }),
  );
  return (codings.get("gzip") ?? codings.get("*") ?? 0) > 0;
}
