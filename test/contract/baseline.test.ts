import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { METHODS } from "../../tools/sdks/merged-document.ts";
import { type ContractName, contract } from "./contracts.ts";

interface Promises {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  readonly webhooks?: Readonly<Record<string, unknown>>;
  readonly components?: { readonly messages?: Readonly<Record<string, { readonly name: string }>> };
}

/** Operations and event types that a contract promises. */
const promisedIn = ({ paths = {}, webhooks = {}, components = {} }: Promises): readonly string[] =>
  [
    ...Object.values(paths).flatMap((item) => METHODS.map((method) => item[method]?.operationId)),
    ...Object.keys(webhooks),
    ...Object.values(components.messages ?? {}).map(({ name }) => name),
  ]
    .filter((name) => name !== undefined)
    .toSorted();

describe("the baseline for the gate of breaking changes (decision 0022)", () => {
  it.each<ContractName>(["sign-on", "gateway", "portal", "webhooks.asyncapi"])(
    "has every operation and event of %s; otherwise an addition could break unseen: make baseline, while make check-contracts passes",
    (name) => {
      const baseline = parse(readFileSync(join("openapi", "baseline", `${name}.yaml`), "utf8")) as Promises;
      expect(promisedIn(baseline)).toEqual(promisedIn(contract(name) as Promises));
      expect(promisedIn(baseline).length).toBeGreaterThan(0);
    },
  );
});
