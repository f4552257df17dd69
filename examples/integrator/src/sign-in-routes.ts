import type { CookieJar } from "./cookies.ts";
import { problemPage } from "./pages/message-page.ts";
import { page, redirect } from "./replies.ts";
import type { Route } from "./route.ts";
import type { Sessions } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import { callbackMixUp, noSignInUnderWay, signInProblem } from "./sign-in-problem.ts";
import { type PendingSignIn, signOn } from "./sign-on.ts";

const PENDING_SECONDS = 600;

/** To Gatehouse, back from it, and out of this program. */
export function signInRoutes(settings: Settings, cookies: CookieJar, sessions: Sessions): readonly Route[] {
  const provider = signOn(settings);
  const explain = (error: unknown) => signInProblem(error, settings);

  return [
    {
      method: "GET",
      path: "/sign-in",
      async reply({ query }) {
        try {
          const { location, pending } = await provider.begin({ again: query.has("again") });
          return redirect(302, location.href, [cookies.write("sign_in", toCookie(pending), PENDING_SECONDS)]);
        } catch (error) {
          const problem = explain(error);
          return page(problemPage(problem), problem.status);
        }
      },
    },
    {
      method: "GET",
      path: new URL(settings.redirectUri).pathname,
      async reply({ request, query }) {
        const pending = fromCookie(cookies.read(request, "sign_in"));
        const mixUp = pending ? callbackMixUp(query, pending.state, settings) : noSignInUnderWay;
        // The cookie is kept: its sign-in may still finish.
        if (!pending || mixUp) return page(problemPage(mixUp ?? noSignInUnderWay), 400);
        const done = cookies.erase("sign_in");
        try {
          const session = sessions.start(await provider.finish(query, pending));
          // Redirects, so that the code is neither in the address bar nor sent again when the page is reloaded.
          return redirect(303, "/", [done, cookies.write("session", session, sessions.lifetimeSeconds)]);
        } catch (error) {
          const problem = explain(error);
          return page(problemPage(problem), problem.status, { "set-cookie": done });
        }
      },
    },
    {
      method: "POST",
      path: "/sign-out",
      reply({ request }) {
        sessions.end(cookies.read(request, "session"));
        return redirect(303, "/", [cookies.erase("session")]);
      },
    },
  ];
}

const toCookie = (pending: PendingSignIn) => Buffer.from(JSON.stringify(pending)).toString("base64url");

function fromCookie(value: string | undefined): PendingSignIn | undefined {
  try {
    const pending = JSON.parse(Buffer.from(value ?? "", "base64url").toString()) as Partial<
      Record<keyof PendingSignIn, unknown>
    >;
    const { state, nonce, codeVerifier } = pending;
    return [state, nonce, codeVerifier].every((part) => typeof part === "string")
      ? (pending as PendingSignIn)
      : undefined;
  } catch {
    return undefined;
  }
}
