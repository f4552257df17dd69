import { traceIdOf, traceMetadata } from "../../../src/runtime/process/trace.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const GOOD = `00-${TRACE}-${PARENT}-01`;

describe("traceparent (W3C Trace Context §3.2)", () => {
  it.each([
    ["sampled", GOOD, GOOD],
    ["not sampled", `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${PARENT}-00`],
    ["flags that are not defined yet", `00-${TRACE}-${PARENT}-fe`, `00-${TRACE}-${PARENT}-fe`],
    ["a later version, which is handed on as ours (§4.3)", `cc-${TRACE}-${PARENT}-01-what-the-future-holds`, GOOD],
    ["a later version without more", `01-${TRACE}-${PARENT}-01`, GOOD],
  ])("accepts %s", (_, sent, handedOn) => {
    expect(traceMetadata(sent)).toEqual({ traceparent: handedOn });
    expect(traceIdOf(sent)).toBe(TRACE);
  });

  it.each([
    ["no header", undefined],
    ["an empty one", ""],
    ["two, joined by node:http", `${GOOD}, ${GOOD}`],
    ["two, as a list", [GOOD, GOOD]],
    ["version ff", `ff-${TRACE}-${PARENT}-01`],
    ["more behind version 00", `${GOOD}-more`],
    ["more behind a later version without a hyphen", `cc-${TRACE}-${PARENT}-01.more`],
    ["capital letters", GOOD.toUpperCase()],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${PARENT}-01`],
    ["a parent id of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a short trace id", `00-${TRACE.slice(1)}-${PARENT}-01`],
    ["a long parent id", `00-${TRACE}-${PARENT}0-01`],
    ["letters beyond f", `00-${TRACE.replace("4", "g")}-${PARENT}-01`],
    ["a space in front", ` ${GOOD}`],
    ["a line feed behind", `${GOOD}\n`],
    ["flags of three digits", `${GOOD}0`],
    ["no flags", GOOD.slice(0, -3)],
    ["8,000 characters", "0".repeat(8_000)],
  ])("ignores %s", (_, sent) => {
    expect([traceMetadata(sent), traceIdOf(sent)]).toEqual([{}, undefined]);
  });
});
