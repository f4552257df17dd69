import { PROBLEMS } from "#generated/problems.ts";
import { problemPage } from "../../../src/portal/problems/problem-page.ts";
import { HOSTILE_TEXTS, skeleton } from "../../runtime/pages/skeleton.ts";

const place = { href: "/docs/guides/read-the-gateway#ask-what-you-may-read", section: "Ask", guide: "Read" };
const values = { code: "client_not_found", ...PROBLEMS.client_not_found, sample: { code: "client_not_found" }, place };

describe("the problem page (R-G1)", () => {
  it.each(Object.entries(PROBLEMS))("explains %s", (code, problem) => {
    const page = problemPage({ code, ...problem, sample: { code }, place });
    expect(page).toContain(`<h1>${problem.title}</h1>`);
    expect(page).toContain(`<span>${problem.status}</span>`);
    expect(page).toContain(`<code>${code}</code>`);
    expect(page).not.toContain("`");
  });

  it.each(["internal_error", "unavailable"] as const)(
    "says of %s that a change may have been made: who repeats it at once may make it twice",
    (code) => {
      expect(PROBLEMS[code].fix).toContain("A change may have been made all the same; look before you repeat it.");
    },
  );

  it.each(["missing", "more than once", "not whole", "unknown", "expired", "revoked"])(
    "names among the faults of a key, which all get one answer: %s (R-G2)",
    (fault) => {
      expect(PROBLEMS.unauthorized.cause).toContain(fault);
    },
  );

  it("shows words between backquotes as code, escaped", () => {
    const page = problemPage({ ...values, cause: "Send `a<b`, not `", fix: "`x`" });
    expect(page).toContain("<p>Send <code>a&lt;b</code>, not `</p>");
    expect(page).toContain("<p><code>x</code></p>");
  });

  it("shows the sample as JSON", () => {
    expect(problemPage(values)).toContain(
      "<pre><code>{\n  &quot;code&quot;: &quot;client_not_found&quot;\n}</code></pre>",
    );
  });

  it.each(HOSTILE_TEXTS)("escapes %.40j", (text) => {
    const hostile = problemPage({
      code: text,
      status: 404,
      title: text,
      cause: text,
      fix: text,
      sample: { text },
      place: { href: text, section: text, guide: text },
    });
    // As long a line: a long one scrolls, and is reached by the Tab key.
    const sample = { text: "x".repeat(JSON.stringify(text).length - 2) };
    expect(skeleton(hostile)).toEqual(skeleton(problemPage({ ...values, cause: "x", fix: "x", sample })));
  });
});
