import { shownActor } from "../../../src/cli/output/actor.ts";

describe("the actor of an audit entry in a sentence", () => {
  it.each([
    ["platform:jo", "the platform (account jo)"],
    ["operator:ada", "an operator (account ada)"],
    ["operator", "an operator"],
    ["person_7Kq2mZx9Lw4TnB6RcV8Yd", "person_7Kq2mZx9Lw4TnB6RcV8Yd"],
    ["constructor", "constructor"],
  ])("%s is %s", (actor, words) => {
    expect(shownActor(actor)).toBe(words);
  });
});
