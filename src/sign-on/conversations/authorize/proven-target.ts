import type { Application } from "../../applications/application.ts";
import type { ApplicationRepository } from "../../applications/application-repository.ts";
import { isWebAddress, matchRedirectUri } from "../../applications/redirect-uri.ts";
import type { RefusalTarget } from "../../interactions/authorization-response.ts";
import type { AuthorizationRequest } from "../../interactions/interaction.ts";
import { type Parameters, single } from "./parameters.ts";

declare const proven: unique symbol;

/** An application that `client_id` names, once. */
export type NamedApplication = Application & { readonly [proven]: "application" };

/** A registered redirect URI of that application: from here on a mistake may be redirected there (S1). */
export interface ProvenTarget extends RefusalTarget {
  readonly [proven]: "target";
  readonly application: NamedApplication;
  readonly instanceId: AuthorizationRequest["instanceId"];
}

export async function nameApplication(
  applications: Pick<ApplicationRepository, "find">,
  parameters: Parameters,
): Promise<NamedApplication | undefined> {
  return (await applications.find(single(parameters, "client_id") ?? "")) as NamedApplication | undefined;
}

/**
 * The redirect URI, the state to repeat and the response mode. A response mode that is not offered for this address, or
 * a state that was sent twice or that a form would change, is refused later. That refusal uses the query, or omits the
 * state.
 */
export function proveTarget(application: NamedApplication, parameters: Parameters): ProvenTarget | undefined {
  const redirectUri = single(parameters, "redirect_uri") ?? "";
  const registered = matchRedirectUri(application.redirectUris, application.kind, redirectUri);
  if (registered === undefined) return undefined;
  const byForm = single(parameters, "response_mode") === "form_post" && takesForms(redirectUri);
  const state = single(parameters, "state");
  return {
    application,
    applicationId: application.id,
    redirectUri,
    instanceId: registered.instanceId,
    responseMode: byForm ? "form_post" : "query",
    state: state !== undefined && byForm && changesInForm(state) ? undefined : state,
  } as ProvenTarget;
}

/** A form can be posted to a web address only. */
export const takesForms = isWebAddress;

/** Browsers send every line break of a form as CR LF (HTML §4.10.21.8), so such a state would not come back as it was. */
export const changesInForm = (state: string): boolean => /[\r\n]/.test(state);
