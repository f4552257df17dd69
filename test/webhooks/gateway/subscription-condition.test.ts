import { conditionOfRead, ifMatchOf, toHeader } from "../../../src/webhooks/gateway/subscription-condition.ts";

/** By chance each ends like the tag of a coding. */
const ENDS = ["q83vEjRWeJCrze8BI0V-br", "q83vEjRWeJCrze8BI-gzip", "q83vEjRWeJCrze8BI0VniQ"];

const headersOf = (name: string, value: string | undefined) => ({ headers: { [name]: value } });

describe("what a request wants of a subscription's entity tag (R-X423)", () => {
  it.each(ENDS)("is the tag %s, in whichever coding", (entityTag) => {
    const sent = [toHeader(entityTag), toHeader(entityTag, "br"), toHeader(entityTag, "gzip")];
    expect(sent.map((tag) => ifMatchOf(headersOf("if-match", tag)))).toEqual(
      Array(3).fill({ entityTags: [entityTag] }),
    );
    const read = sent.map((tag) => conditionOfRead(headersOf("if-none-match", tag), entityTag, undefined));
    expect(read).toEqual(sent.map((copy) => ({ isFalse: false, copy })));
  });

  it.each([
    ["nothing, without the header", undefined, null],
    ["nothing that it lacks, for any", "*", null],
    ["nothing that it lacks, for any among others", '"x", *', null],
    ["one of none, for an empty list", "", { entityTags: [] }],
    ["one of none, for a weak tag", `W/${toHeader(ENDS[2] ?? "")}`, { entityTags: [] }],
    ["one of none, for a tag of another form", '"1c-q83vEjRWeJCrze8BI0VniQ"', { entityTags: [] }],
    ["one of several", `"x",${ENDS.map((tag) => toHeader(tag)).join(" , ")}`, { entityTags: ENDS }],
  ])("is %s", (_, header, wanted) => {
    expect(ifMatchOf(headersOf("if-match", header))).toEqual(wanted);
  });
});
