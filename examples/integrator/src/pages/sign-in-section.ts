import { type Html, html } from "../html.ts";
import { networkReason } from "../network-reason.ts";
import type { Settings } from "../settings.ts";
import type { SignedIn } from "../sign-on.ts";
import { claimsView } from "./values.ts";

/** The button, or the signed-in person with Gatehouse's claims about them. */
export function signInSection(settings: Settings, person: SignedIn | undefined): Html {
  return html`<section class="sheet" id="sign-in" aria-labelledby="sign-in-title">
<h2 id="sign-in-title">Sign in</h2>
${person ? signedIn(person) : signedOut(settings)}
</section>`;
}

function signedOut({ redirectUri, issuer }: Settings): Html {
  // The sign-in begins on the redirect URI's host: a cookie set on 127.0.0.1 would be missing on localhost.
  const address = new URL("/sign-in", redirectUri).href;
  return html`<p>Authorization code flow with PKCE. You sign in at <code>${issuer}</code>; this program never sees your password.</p>
<p class="actions"><a class="button" href="${address}">Sign in with Gatehouse</a> <a href="${address}?again=1">and ask for the password again</a></p>`;
}

function signedIn({ idToken, userinfo, scope }: SignedIn): Html {
  const verified = html`Verified: signature, <code>iss</code>, <code>aud</code>, <code>exp</code>, <code>nonce</code>.`;
  return html`<div class="greeting">
<p>Signed in as <strong>${String(idToken.name ?? idToken.email ?? idToken.sub)}</strong>. Granted: <code>${scope}</code></p>
<div class="actions">
<form method="post" action="/sign-out"><button class="button plain" type="submit">Sign out here</button></form>
<form method="post" action="/sign-out/gatehouse"><button class="button plain" type="submit">Sign out of Gatehouse</button></form>
</div>
</div>
<p class="aside">“Sign out here” ends this program's session only; Gatehouse still knows you. “Sign out of Gatehouse” ends that session in this browser too, and leads back here.</p>
<div class="pair">
${claimsView("id-token", "ID token", verified, idToken)}
${
  "claims" in userinfo
    ? claimsView("userinfo", "Userinfo", html`Asked with the access token.`, userinfo.claims)
    : html`<p class="notice bad" id="userinfo"><strong>Userinfo gave no claims.</strong> ${reasonOf(userinfo.error)}</p>`
}
</div>`;
}

function reasonOf(error: unknown): string {
  return networkReason(error) ?? (error instanceof Error ? error.message : String(error));
}
