import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AccountService } from "../../../../generated/proto/gatehouse/sign_on/v1/account.ts";
import { BrowserService } from "../../../../generated/proto/gatehouse/sign_on/v1/browser.ts";
import { LogoutService } from "../../../../generated/proto/gatehouse/sign_on/v1/logout.ts";
import { PasswordsService } from "../../../../generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { TokensService } from "../../../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { IntegratorService } from "../../../../generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { GatewayService } from "../../../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { askedOperation } from "../../../../src/cli/commands/inspection/asked-operation.ts";

const CONTRACTS = join(import.meta.dirname, "..", "..", "..", "..", "generated", "contracts");
const OPERATIONS = ["sign-on", "gateway"].flatMap((name) => [
  ...readFileSync(join(CONTRACTS, `${name}.json`), "utf8").matchAll(/"operationId": "(\w+)"/g),
]);
const SERVICES = [
  ...[AccountService, BrowserService, LogoutService, PasswordsService, TokensService],
  ...[GatewayService, IntegratorService],
];
/** Answers whether pages of an origin may call, before any operation. */
const OF_NO_OPERATION = ["checkOrigin"];

describe("the operation that was asked for", () => {
  const operations = new Set(OPERATIONS.map(([, id]) => id));
  const methods = SERVICES.flatMap((service) => Object.keys(service)).filter(
    (method) => !OF_NO_OPERATION.includes(method),
  );

  it.each(methods)("of the method %s is one of the contracts, or not known", (method) => {
    const operation = askedOperation(method);
    expect(operation === undefined || operations.has(operation)).toBe(true);
  });

  it("is not known only of a request that is not valid, whose caller alone is proven", () => {
    expect(methods.filter((method) => askedOperation(method) === undefined)).toEqual([
      "checkCaller",
      "checkIntegrator",
    ]);
  });

  it.each([...operations])("that the edge refused by itself is %s as it is noted", (operation) => {
    expect(askedOperation(operation ?? "")).toBe(operation);
  });
});
