import { headerViolations, mergedHeaders } from "../../../src/webhooks/subscriptions/extra-headers.ts";

const problems = (headers: readonly { name: string; value?: string }[], present: readonly string[] = []) =>
  headerViolations(headers, present).map(({ field, reason }) => `${field} ${reason}`);

describe("extra headers (R-X272, W21)", () => {
  it.each([
    ["an API key", "x-api-key", "abc123"],
    ["credentials", "Authorization", "Bearer a.b-c_d/e+f="],
    ["spaces between", "x-note", "one  two"],
    ["one character", "x", "y"],
    ["1024 characters", "x-long", "v".repeat(1_024)],
    ["every visible character", "x-visible", '!"#$%&()*+,-./0:;<=>?@A[]^_`a{|}~'],
  ])("may be %s", (_, name, value) => {
    expect(problems([{ name, value }])).toEqual([]);
  });

  it.each([
    ["an empty name", ""],
    ["a space in the name", "x key"],
    ["a colon in the name", "x:key"],
    ["a line break in the name", "x-key\r\nhost"],
    ["a NUL in the name", "x-key\0"],
    ["letters beyond ASCII in the name", "x-schlüssel"],
    ["a name of 65 characters", "x".repeat(65)],
    ["an underscore, which many receivers read as a hyphen", "webhook_signature"],
    ["a full stop", "webhook.id"],
    ["the name of a prototype", "__proto__"],
  ])("are refused with %s", (_, name) => {
    expect(problems([{ name, value: "v" }])).toEqual([
      expect.stringMatching(/^extra_headers\[0\]\.name must be the name/),
    ]);
  });

  it.each([
    ...["Host", "content-length", "Transfer-Encoding", "connection", "content-type", "content-encoding", "User-Agent"],
    ...[
      "webhook-id",
      "Webhook-Signature",
      "webhook-anything",
      "accept-encoding",
      "keep-alive",
      "upgrade",
      "te",
      "trailer",
    ],
    ...["expect", "via", "forwarded", "X-Forwarded-For", "proxy-authorization", "date", "X-Real-IP"],
  ])("are refused with the reserved name %s (S46)", (name) => {
    expect(problems([{ name, value: "v" }])).toEqual([
      expect.stringMatching(/name must not be a header of the connection/),
    ]);
  });

  it.each([
    ["nothing", ""],
    ["a space alone", " "],
    ["a space in front", " v"],
    ["a space behind", "v "],
    ["a line feed", "v\nhost: evil.example"],
    ["a carriage return", "v\rx"],
    ["both", "v\r\nx-other: y"],
    ["a NUL", "v\0"],
    ["a tab", "v\tw"],
    ["a control character", "v\x7f"],
    ["letters beyond ASCII", "schön"],
    ["1025 characters", "v".repeat(1_025)],
  ])("are refused with %s as the value (S46)", (_, value) => {
    expect(problems([{ name: "x-key", value }])).toEqual([
      expect.stringMatching(/^extra_headers\[0\]\.value must be 1 to/),
    ]);
  });

  it("are at most ten, no name twice, and each wrong one is named", () => {
    const ten = Array.from({ length: 10 }, (_, index) => ({ name: `x-${index}`, value: "v" }));
    expect(problems(ten)).toEqual([]);
    expect(problems([...ten, { name: "x-more", value: "v" }])).toEqual(["extra_headers must be at most 10"]);
    expect(
      problems([
        { name: "x-a", value: "v" },
        { name: "X-A", value: "w" },
        { name: "host", value: "v" },
        { name: "x-b", value: "\n" },
      ]),
    ).toEqual([
      "extra_headers[1].name must not be repeated",
      expect.stringContaining("extra_headers[2].name"),
      expect.stringContaining("extra_headers[3].value"),
    ]);
  });

  it("keep their value when an update has none", () => {
    expect(problems([{ name: "x-key" }])).toEqual(["extra_headers[0].value must be there for a new header"]);
    expect(problems([{ name: "X-Key" }], ["x-key"])).toEqual([]);
    expect(
      mergedHeaders([{ name: "X-Key" }, { name: "x-new", value: "n" }], [{ name: "x-key", value: "old" }]),
    ).toEqual([
      { name: "x-key", value: "old" },
      { name: "x-new", value: "n" },
    ]);
  });
});
