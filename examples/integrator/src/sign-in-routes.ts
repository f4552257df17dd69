import type { CookieJar } from "./cookies.ts";
import { problemPage } from "./pages/message-page.ts";
import { page, redirect } from "./replies.ts";
import type { Route } from "./route.ts";
import type { Sessions } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import { answerToAnother, issuerMixUp, noSignInUnderWay, signInProblem } from "./sign-in-problem.ts";
import { type PendingSignIn, signOn } from "./sign-on.ts";

const PENDING_SECONDS = 600;
/** Of sign-ins that were begun and left, in one browser: a server refuses a request whose headers are too long. */
const PENDING_MAX = 8;
/** Each sign-in has a cookie of its own, by its state: two tabs do not disturb each other. */
const PENDING = "sign_in_";

/** To Gatehouse, back from it, and out of this program. */
export function signInRoutes(settings: Settings, cookies: CookieJar, sessions: Sessions): readonly Route[] {
  const provider = signOn(settings);
  const explain = (error: unknown) => signInProblem(error, settings);

  return [
    {
      method: "GET",
      path: "/sign-in",
      async reply({ request, query }) {
        try {
          const { location, pending } = await provider.begin({ again: query.has("again") });
          const tooMany = cookies.namesFrom(request, PENDING).slice(0, 1 - PENDING_MAX);
          return redirect(302, location.href, [
            cookies.write(PENDING + pending.state, toCookie(pending), PENDING_SECONDS),
            ...tooMany.map(cookies.erase),
          ]);
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
        const name = PENDING + (query.get("state") ?? "");
        const pending = fromCookie(cookies.read(request, name));
        const others = cookies.namesFrom(request, PENDING).some((other) => other !== name);
        if (!pending) return page(problemPage(others ? answerToAnother : noSignInUnderWay), 400);
        const mixUp = issuerMixUp(query, settings);
        // The cookie is kept: its sign-in may still finish.
        if (mixUp) return page(problemPage(mixUp), 400);
        const done = cookies.erase(name);
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
    {
      method: "POST",
      path: "/sign-out/gatehouse",
      async reply({ request }) {
        const id = cookies.read(request, "session");
        const person = sessions.find(id);
        // Our own session ends first, whatever becomes of the other one.
        sessions.end(id);
        const done = cookies.erase("session");
        if (person === undefined) return redirect(303, "/", [done]);
        try {
          return redirect(303, (await provider.signOutAddress(person)).href, [done]);
        } catch (error) {
          const problem = explain(error);
          return page(problemPage(problem), problem.status, { "set-cookie": done });
        }
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
