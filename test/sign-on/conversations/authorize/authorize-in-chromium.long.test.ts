import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser as Chromium, Page } from "playwright-core";
import { authorizePath } from "../../../support/browser.ts";
import { describeChromium, launchChromium } from "../../../support/chromium.ts";
import { withScope } from "../../../support/scope.ts";
import { makeWorld, PASSWORD, type World } from "../../../support/world.ts";
import { embeddedStore, openSignOn, type SignOn, withApplication } from "../../sign-on-fixture.ts";

const textOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

describeChromium("an application in a real browser (Form Post Response Mode, POST of the request)", () =>
  withScope((closeLater) => {
    let chromium: Chromium;
    let signOn: SignOn;
    let world: World;
    let port: number;
    let received: { readonly method: string | undefined; readonly parameters: Record<string, string> }[] = [];

    beforeAll(async () => {
      chromium = await launchChromium();
      closeLater(() => chromium.close());
      signOn = await openSignOn(await embeddedStore(closeLater), closeLater);
      // The application goes on to a page of its own after the answer, as applications do; its start page is on another site than ours.
      const application = createServer(async (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://any");
        if (pathname === "/start") {
          const inputs = [...searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`);
          response.setHeader("content-type", "text/html; charset=utf-8");
          response.end(
            `<form method="post" action="${signOn.issuer}/auth/authorize">${inputs.join("")}<button>Go</button></form>`,
          );
          return;
        }
        if (pathname === "/cb") {
          const body = request.method === "POST" ? new URLSearchParams(await textOf(request)) : searchParams;
          received.push({ method: request.method, parameters: Object.fromEntries(body) });
          response.writeHead(303, { location: "/home" }).end();
          return;
        }
        response.end("home");
      });
      await new Promise<void>((resolve) => application.listen(0, resolve));
      port = (application.address() as AddressInfo).port;
      closeLater(() => new Promise((resolve) => application.close(() => resolve())));
      const redirectUris = (instanceId: string) => [{ uri: `http://localhost:${port}/cb`, instanceId }];
      const made = await makeWorld(signOn);
      world = await withApplication(signOn, made, { redirectUris: redirectUris(made.instanceId) });
    });

    beforeEach(() => {
      received = [];
    });

    /** The request as the application makes it, with its own redirect URI. */
    const parametersOf = (more: Readonly<Record<string, string>>) =>
      new URL(authorizePath(world, { redirect_uri: `http://localhost:${port}/cb`, ...more }), "http://any").search;

    async function signIn(page: Page): Promise<void> {
      await page.fill("#email", world.email);
      await page.fill("#password", PASSWORD);
      await page.click("button[type=submit]");
      await page.click("button[value=approve]");
    }

    /** One visit with a browser of its own; returns what its console said about a policy. */
    async function visit(javaScriptEnabled: boolean, work: (page: Page) => Promise<void>): Promise<readonly string[]> {
      const context = await chromium.newContext({ javaScriptEnabled });
      const complaints: string[] = [];
      try {
        const page = await context.newPage();
        page.on("console", (message) => complaints.push(message.text()));
        await work(page);
        await page.waitForURL(`http://localhost:${port}/home`);
      } finally {
        await context.close();
      }
      // The stylesheet is another area's, which does not run here.
      return complaints.filter((text) => /violates|Content Security Policy/i.test(text));
    }

    const STATE = `"'><script>alert(1)</script> & + %20 🙂 é`;
    const answer = (method: string) => ({
      method,
      parameters: { code: expect.stringMatching(/^[\w-]{64}$/), state: STATE, iss: signOn.issuer },
    });

    it("gets the code by a form that sends itself, state unchanged, and may go on to a page of its own", async () => {
      const complaints = await visit(true, async (page) => {
        await page.goto(`${signOn.issuer}/auth/authorize${parametersOf({ response_mode: "form_post", state: STATE })}`);
        await signIn(page);
      });
      expect(received).toEqual([answer("POST")]);
      expect(complaints).toEqual([]);
    });

    it("gets it by a button where no script runs", async () => {
      await visit(false, async (page) => {
        const parameters = parametersOf({ response_mode: "form_post", state: STATE, prompt: "consent" });
        await page.goto(`${signOn.issuer}/auth/authorize${parameters}`);
        await signIn(page);
        await page.click("button[type=submit]");
      });
      expect(received).toEqual([answer("POST")]);
    });

    it("cannot fill the header with cookies by forms of another site that come again and again (R-X6)", async () => {
      const context = await chromium.newContext();
      try {
        const page = await context.newPage();
        await page.goto(`http://127.0.0.1:${port}/start${parametersOf({})}`);
        await page.evaluate("document.forms[0].target = 'sign-in'");
        for (let forms = 1; forms <= 20; forms++) {
          const [shown] = await Promise.all([
            context.waitForEvent("response", (response) => response.url().includes("/auth/login")),
            page.click("button"),
          ]);
          expect(shown.status()).toBe(200);
        }
        expect((await context.cookies()).length).toBe(17);
      } finally {
        await context.close();
      }
    });

    it("may ask by POST from another site: the session is found by the GET that follows (R-S14)", async () => {
      const start = `http://127.0.0.1:${port}/start${parametersOf({ state: "st-4711", prompt: "consent" })}`;
      const silently = `http://127.0.0.1:${port}/start${parametersOf({ state: "st-4712", prompt: "none" })}`;
      await visit(true, async (page) => {
        await page.goto(start);
        await page.click("button");
        await signIn(page);
        await page.waitForURL(`http://localhost:${port}/home`);
        await page.goto(silently);
        await page.click("button");
      });
      const states = received.map(({ method, parameters }) => [method, parameters.state, "code" in parameters]);
      expect(states).toEqual([
        ["GET", "st-4711", true],
        ["GET", "st-4712", true],
      ]);
    });
  }),
);
