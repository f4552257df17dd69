/**
 * The tags of a page in order, with the names of their attributes and neither values nor text. Two pages that differ only in their values
 * have the same skeleton; a value that breaks out of its place changes it.
 */
export function skeleton(page: string): readonly string[] {
  return [...page.matchAll(/<[^<>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""').replace(/\s+/g, " "));
}

/** Values that want to be markup. */
export const HOSTILE_TEXTS: readonly string[] = [
  "<script>alert(1)</script>",
  '"><script>alert(1)</script>',
  "' autofocus onfocus='alert(1)",
  '" onmouseover="alert(1)" x="',
  "</title></head><body>",
  "--><!--",
  "&lt;script&gt;",
  "&#60;img src=x&#62;",
  "{{7*7}} \\u003cscript\\u003e",
  "\u0000<\u0000script>",
  "\u202Eresu\u202C \u2066x",
  "a\r\nset-cookie: b=c",
  `${"long".repeat(5_000)}<`,
];
