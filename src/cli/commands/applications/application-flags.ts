import { Option } from "commander";
import { repeated } from "../../input/flags.ts";
import { offering } from "../../input/offered.ts";

/** `--scope`, of an application. */
export const scopeOption = (description: string): Option =>
  offering(new Option("--scope <name>", description).argParser(repeated), [
    "openid",
    "profile",
    "email",
    "offline_access",
  ]);

/** `--grant-type` */
export const grantTypeOption = (description: string): Option =>
  offering(new Option("--grant-type <name>", description).argParser(repeated), ["authorization_code", "refresh_token"]);
