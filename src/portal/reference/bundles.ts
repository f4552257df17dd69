import gateway from "#generated/contracts/gateway.json" with { type: "json" };
import signOn from "#generated/contracts/sign-on.json" with { type: "json" };
import events from "#generated/contracts/webhooks.asyncapi.json" with { type: "json" };
import platform from "#generated/docs/platform.json" with { type: "json" };
import { resolved } from "#runtime/basis/resolved.ts";
import { SOME_INSTALLATION } from "../contracts/published-contracts.ts";
import type { EventContract, OperationContract } from "./contract.ts";
import type { GrpcContract } from "./grpc-contract.ts";

/** The contract as the installation at this address publishes it; by default as it is in the repository (R-X171). */
const at = (contract: object, server: string): object =>
  JSON.parse(JSON.stringify(contract).replaceAll(SOME_INSTALLATION, () => server));

export const signOnContract = (issuer = SOME_INSTALLATION): OperationContract => resolved(at(signOn, issuer));

export const gatewayContract = (gatewayUrl = SOME_INSTALLATION): OperationContract => resolved(at(gateway, gatewayUrl));

export const platformContract = (): GrpcContract => platform;

export const eventContract = (): EventContract => resolved(events);
