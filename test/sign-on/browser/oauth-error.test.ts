import { Failure, notFound } from "../../../src/runtime/basis/errors.ts";
import { toFailure, toStatus } from "../../../src/runtime/rpc/status.ts";
import { oauthFault, oauthRefusal } from "../../../src/sign-on/browser/oauth-error.ts";
import { CHECKS } from "../../../src/sign-on/refusals/catalogue.ts";
import { OAUTH_ERROR_CODES } from "../../../src/sign-on/refusals/check.ts";
import { refuse } from "../../../src/sign-on/refusals/refused.ts";
import { recordedLog } from "../../support/recorded-log.ts";

const request = { requestId: "req_1", operationId: "exchangeToken" };
const issuer = "https://sign-on.example";

describe("OAuth error codes (spec §7.2, §7.3)", () => {
  it("are those of the specification", () => {
    expect([...OAUTH_ERROR_CODES].sort()).toEqual([
      "insufficient_scope",
      "invalid_client",
      "invalid_grant",
      "invalid_request",
      "invalid_scope",
      "invalid_token",
      "unauthorized_client",
      "unsupported_grant_type",
    ]);
  });

  it.each(OAUTH_ERROR_CODES)("%s crosses gRPC with its sentence, without its detail", (code) => {
    const check = Object.entries(CHECKS).find(([, row]) => "error" in row && row.error === code)?.[0] as "code.expired";
    const refused = refuse(check);
    const arrived = toFailure(toStatus(refused));
    expect(oauthRefusal(arrived)).toEqual({ code, description: refused.sentence });
    expect(arrived.detail).toBeUndefined();
  });

  it.each([notFound("tenant_not_found", "Client not found"), new Error("invalid_grant"), undefined, "invalid_grant"])(
    "are not seen in %p",
    (error) => {
      expect(oauthRefusal(error)).toBeUndefined();
    },
  );

  it("say one sentence for every failed authentication, and keep the reason for the log (S29)", () => {
    const failures = [refuse("application.unknown"), refuse("application.secret_wrong")];
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
    expect(failures.map(({ error }) => error)).toEqual(["invalid_client", "invalid_client"]);
    expect(failures.map(({ detail }) => detail)).toEqual(["unknown application", "wrong secret"]);
  });
});

describe("a fault at an OAuth endpoint", () => {
  it("is 503 with Retry-After where trying again helps", () => {
    const failure = new Failure("UNAVAILABLE", "unavailable", "The store is busy.", { retryAfterSeconds: 7 });
    expect(oauthFault(failure, request, { issuer, log: recordedLog() })).toMatchObject({
      status: 503,
      headers: { "retry-after": "7", "cache-control": "no-store" },
      body: {
        error: "temporarily_unavailable",
        error_description: "The service cannot answer at the moment. (req_1)",
        error_uri: "https://sign-on.example/problems/sign-on-temporarily-unavailable",
      },
    });
  });

  it("is 500 otherwise, reveals nothing, and is logged once", () => {
    const log = recordedLog();
    const { status, body } = oauthFault(new Error("the password is hunter2"), request, { issuer, log });
    expect([status, body.error]).toEqual([500, "server_error"]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
    expect(log.lines).toHaveLength(1);
  });

  it("is not logged again when the process that decided has done so", () => {
    const log = recordedLog();
    expect(oauthFault(new Failure("INTERNAL", "internal", "Internal error"), request, { issuer, log }).status).toBe(
      500,
    );
    expect(log.lines).toEqual([]);
  });
});
