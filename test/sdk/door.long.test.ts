import { TYPESCRIPT_HERE } from "../conformance/typescript-here.ts";
import { doorScenarios } from "./door-scenarios.ts";
import { publicKeyScenarios } from "./public-key-scenarios.ts";
import { turnScenarios } from "./turn-scenarios.ts";

/** The other languages, and TypeScript once installed: toolchains.check.ts. */
describe("the SDK in typescript, as it lies in the repository", () => {
  doorScenarios(() => TYPESCRIPT_HERE);
  publicKeyScenarios(() => TYPESCRIPT_HERE);
  turnScenarios(() => TYPESCRIPT_HERE);
});
