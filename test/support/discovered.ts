import type { components } from "../../generated/types/sign-on.ts";
import type { Gatehouse } from "./gatehouse.ts";
import { call } from "./http.ts";

/** What an installation says of itself. */
export const discovered = async ({ url }: Pick<Gatehouse, "url">) =>
  (await call(url, "/.well-known/openid-configuration")).json<components["schemas"]["OpenidConfiguration"]>();
