import { once } from "node:events";
import { connect } from "node:net";
import { guides } from "../../../src/portal/guides/published-guides.ts";
import { makeFinder } from "../../../src/portal/search/find.ts";
import { findables } from "../../../src/portal/search/findable.ts";
import { ANSWERS } from "../../../src/portal/search/typed-words.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";

describe("the search of the documentation (R-X193)", () => {
  const find = makeFinder();
  const titles = (words: string): readonly string[] => find(words).map(({ title }) => title);

  it.each([
    ["paging", "List the workers of a client, with units and in pages (v2)"],
    ["pagination", "List the dashboard users of a client (v1)"],
    ["rotate", "Read the public keys"],
    ["rotate", "webhook-signature"],
    ["retry", "retry-after"],
    ["retry", "Events"],
    ["logout", "Send a browser here to sign a person out"],
    ["rate limit", "Too many requests (429)"],
    ["rate limit", "ratelimit"],
    ["429", "Too many requests (429)"],
    ["sso", "Send a browser here to sign a person in"],
    ["tenant", "List the clients of an instance (v1)"],
    ["employees", "List the workers of a client (v1)"],
    ["hmac", "webhook-signature"],
    ["etag", "etag"],
    ["api key", "Unauthorized (401)"],
    ["sdk", "With an SDK (Read the gateway)"],
    ["library", "With an SDK (Read the gateway)"],
    ["filter", "Filter by type and client (Receive events)"],
    ["register", "Ask the operator (Read the gateway)"],
    ["onboarding", "Onboard an integrator"],
    ["openapi", "Gateway"],
    ["swagger", "Gateway"],
    ["postman", "Gateway"],
    ["asyncapi", "Events"],
    ["cors", "Confidential or public (Sign people in)"],
    ["forbidden", "Scope missing (403)"],
    ["javascript", "Take a library (Sign people in)"],
    ["gdpr", "Erase"],
    ["ssl", "Try it with TLS (Run it for real)"],
    ["how do I verify a signature?", "Verify, then parse (Receive events)"],
    ["how to log in", "Sign a person in (Quickstart)"],
    ["wrong password", "A wrong password, or too many attempts (When a sign-in fails)"],
  ])("finds for %j among the first five: %s", (words, title) => {
    expect(titles(words).slice(0, 5)).toContain(title);
  });

  it("counts the eight longest of many words, each once: whoever asks for fifty letters keeps the edge busy", () => {
    const eight = "signature secret webhook endpoint header event delivery verify";
    expect(titles(`a if a in a by a is ${eight} a if of on a`)).toEqual(titles(eight));
  });

  it.each(["a,if,a,in", "(a)if{a}in", "a/if/a/in", "a?if=a:in;", " - a, if … ?= in "])(
    "takes words for words whatever is between them: %s",
    (few) => {
      const eight = "signature secret webhook endpoint header event delivery verify";
      expect(titles(`${few} ${eight}`)).toEqual(titles(eight));
      expect(titles(eight.replaceAll(" ", few.replaceAll(/\w/g, "")))).toEqual(titles(eight));
    },
  );

  it("looks for eight parts of names at most: fifty letters with hyphens keep the edge busy", () => {
    expect(titles("a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p")).toEqual(titles("a-b-c-d-e-f-g-h"));
    expect(titles("a.b.c.d i_j_k_l m-n-o-p")).toEqual(titles("a.b.c.d i_j_k_l"));
  });

  it.each([
    ["worker updated ?", "worker updated"],
    ["worker - updated", "worker updated"],
    ["rate limit?", "rate limit"],
  ])("finds for %j what it finds for %j", (words, same) => {
    expect(titles(words)).toEqual(titles(same));
  });

  it("finds nothing for marks alone", () => {
    expect(titles("? - …")).toEqual([]);
  });

  it.each([
    ["paging", "Page through a list (Read the gateway)"],
    ["rotate", "An API key (Keys and secrets)"],
    ["retry", "Wait, then repeat (Read the gateway)"],
    ["logout", "Sign the person out (Sign people in)"],
    ["sign out", "Sign the person out (Sign people in)"],
    ["rate limit", "When there are too many requests (Read the gateway)"],
    ["refresh", "Keep the person signed in (Sign people in)"],
    ["signature", "Verify, then parse (Receive events)"],
    ["cursor", "Page through a list (Read the gateway)"],
    ["verify", "Verify, then parse (Receive events)"],
    ["duplicates", "Duplicates and order (Receive events)"],
    ["register", "Ask the operator (Read the gateway)"],
    ["mock", "Test against the mock"],
    ["sandbox", "Choose one (Test against the mock)"],
    ["localhost", "Listen (Develop at your own desk)"],
    ["npm", "With an SDK (Read the gateway)"],
    ["getting started", "Quickstart"],
    ["tutorial", "Quickstart"],
    ["credentials", "What there is (Keys and secrets)"],
    ["timeout", "Acknowledge (Receive events)"],
    ["polling", "Keep a copy in step"],
    ["full sync", "Keep a copy in step"],
    ["backoff", "Wait, then repeat (Read the gateway)"],
    ["idempotency", "Duplicates and order (Receive events)"],
    ["missing events", "Missed events (Receive events)"],
    ["not receiving events", "What you need (Receive events)"],
    ["invalid signature", "Verify, then parse (Receive events)"],
    ["expiration", "An API key (Keys and secrets)"],
    ["versioning", "Version 1 or version 2 (Read the gateway)"],
    ["php", "With an SDK (Read the gateway)"],
    ["C#", "With an SDK (Read the gateway)"],
    ["mobile app", "Confidential or public (Sign people in)"],
    ["firewall", "From where events come (Receive events)"],
    ["allowlist", "From where events come (Receive events)"],
    ["ip addresses", "From where events come (Receive events)"],
    ["ngrok", "Listen (Develop at your own desk)"],
    ["deprecation", "When an operation ends (Read the gateway)"],
    ["breaking changes", "When an operation ends (Read the gateway)"],
    ["prometheus", "Health (Run it for real)"],
    ["monitoring", "Health (Run it for real)"],
    ["docker", "Let a supervisor run it (Run it for real)"],
    ["upgrade", "Upgrade it (Run it for real)"],
    ["static egress ip", "From where events come (Receive events)"],
    ["IP allowlist", "From where events come (Receive events)"],
    ["mtls", "From where events come (Receive events)"],
    ["ipv6", "From where events come (Receive events)"],
    ["timezone", "How values are written (Read the gateway)"],
    ["date format", "How values are written (Read the gateway)"],
    ["null vs missing", "How values are written (Read the gateway)"],
    ["sorting", "What there is not (Read the gateway)"],
    ["filter by date", "What there is not (Read the gateway)"],
    ["how do I filter by date", "What there is not (Read the gateway)"],
    ["manager of a worker", "What there is not (Read the gateway)"],
    ["custom fields", "What there is not (Read the gateway)"],
    ["csv", "What there is not (Read the gateway)"],
    ["graphql", "What there is not (Read the gateway)"],
    ["photo", "What there is not (Read the gateway)"],
    ["rehire", "What events do not say (Keep a copy in step)"],
    ["gdpr", "What events do not say (Keep a copy in step)"],
    ["retention of events", "Missed events (Receive events)"],
    ["ordering guarantee of events", "Duplicates and order (Receive events)"],
    ["webhook timeout", "Acknowledge (Receive events)"],
    ["latency", "Acknowledge (Receive events)"],
    ["SLA", "Ask the operator (Read the gateway)"],
    ["status page", "Ask the operator (Read the gateway)"],
    ["redirect uri wildcard", "Ask the operator (Read the gateway)"],
    ["scim", "What there is not (Sign people in)"],
    ["client credentials", "What there is not (Sign people in)"],
    ["MFA", "What there is not (Sign people in)"],
    ["silent sign in", "Keep the person signed in (Sign people in)"],
    ["websocket", "What arrives (Receive events)"],
    ["max page size", "Page through a list (Read the gateway)"],
    ["removed application", "invalid_client (When a sign-in fails)"],
    ["signature of an ID token", "What the claims mean (Sign people in)"],
    ["sdk for C#", "With an SDK (Read the gateway)"],
    ["swagger json", "With an SDK (Read the gateway)"],
    ["webhook ip ranges", "From where events come (Receive events)"],
    ["access token lifetime", "Keep the person signed in (Sign people in)"],
    ["departments of a worker", "Version 1 or version 2 (Read the gateway)"],
    ["the cursor expired", "What events do not say (Keep a copy in step)"],
  ])("finds for %j first of all: %s (R-X217)", (words, title) => {
    expect(titles(words)[0]).toBe(title);
  });

  it("names only sections that are there as the answers to words", () => {
    const places = new Set(
      guides().flatMap(({ name, headings }) => [name, ...headings.map(({ id }) => `${name}#${id}`)]),
    );
    expect(ANSWERS.flatMap(([, ...named]) => named).filter((place) => !places.has(place))).toEqual([]);
  });

  it("has each phrase once in the table of answers: the second row of two would hide the first", () => {
    const phrases = ANSWERS.flatMap(([typed]) => typed.split(", "));
    expect(phrases.filter((phrase, place) => phrases.indexOf(phrase) !== place)).toEqual([]);
  });

  it("shows of a section its own first sentence (R-X217)", () => {
    const [first] = find("paging");
    expect(first?.summary).toBe("With limit you get a page of at most that many entries, up to 1,000.");
    const own = findables().filter(({ kind, href }) => kind === "Guide" && href.includes("#"));
    const borrowed = own.filter(({ summary }) => guides().some((guide) => guide.summary === summary));
    const opening = guides().flatMap(({ headings }) => headings.filter(({ says }) => says === ""));
    expect(borrowed).toHaveLength(opening.length);
  });

  it.each([
    ["CreateTenant", "CreateTenant"],
    ["onboard worker", "OnboardWorker"],
    ["import", "ImportWorkforce"],
    ["invite user", "InviteUser"],
  ])("finds for %j the platform's method %s", (words, title) => {
    expect(titles(words).slice(0, 5)).toContain(title);
  });

  it.each([
    ["worker.updated", "worker.updated"],
    ["organization_unit_type.created", "organization_unit_type.created"],
    ["client_not_found", "Client not found (404)"],
    ["userinfo", "Read who signed in"],
    ["If-None-Match", "etag"],
  ])("finds the name %j whole", (words, title) => {
    expect(titles(words)).toContain(title);
  });

  it.each([
    ["listDeliveries", "List deliveries (v1)"],
    ["list_deliveries", "List deliveries (v1)"],
    ["rotateSigningSecret", "Replace the secret (v1)"],
    ["overlapSeconds", "Replace the secret (v1)"],
    ["extraHeaders", "Create a subscription (v1)"],
    ["attemptNumber", "Read a delivery (v1)"],
    ["unitsTypes", "Read the organization structure of a client (v1)"],
    ["code_verifier", "Exchange a code or a refresh token for tokens"],
    ["occurredAt", "user.updated"],
  ])("finds %j, the name of a call or of a member, in the reference: %s", (words, title) => {
    expect(titles(words)).toContain(title);
  });

  it("finds beginnings, small mistakes, and the same for capitals", () => {
    expect(titles("introsp")).toContain("Ask whether a token is valid");
    expect(titles("workrs")).toContain("List the workers of a client (v1)");
    expect(titles("retires")).toEqual(titles("retries"));
    expect(titles("paginaton")).toEqual(titles("pagination"));
    expect(titles("PAGING")).toEqual(titles("paging"));
  });

  describe("served", () => {
    const portal = servedPortal();

    it("leads to places that are there", async () => {
      const missing: string[] = [];
      const pages = new Map<string, Awaited<ReturnType<typeof call>>>();
      for (const { href } of findables()) {
        const [path = "", anchor] = href.split("#");
        const answer = pages.get(path) ?? (await call(portal.url, path));
        pages.set(path, answer);
        const { status, text } = answer;
        if (status !== 200 || (anchor !== undefined && !text.includes(` id="${anchor}"`))) missing.push(href);
      }
      expect(missing).toEqual([]);
    });

    it("lists everything without words", async () => {
      const { text } = await call(portal.url, "/docs/search");
      expect(text.match(/<li><span class="method">/g)).toHaveLength(findables().length);
    });

    it("shows what was searched for as text, in the box too", async () => {
      const { status, text } = await call(portal.url, `/docs/search?q=${encodeURIComponent('"><b>worker')}`);
      expect(status).toBe(200);
      expect(text).toContain('value="&quot;&gt;&lt;b&gt;worker"');
      expect(text).not.toContain("<b>worker");
    });

    it("is no page that a search engine lists, since anybody chooses its words; the list of everything is", async () => {
      const robots = '<meta name="robots" content="noindex">';
      expect((await call(portal.url, "/docs/search?q=buy%20cheap%20pills")).text).toContain(robots);
      expect((await call(portal.url, "/docs/search")).text).not.toContain(robots);
    });

    it("says so when there is nothing, and leads to everything", async () => {
      const { text } = await call(portal.url, "/docs/search?q=zzzz");
      expect(text).toContain("Nothing. Try another word, or look through everything.");
      expect(text).toContain('<a href="/docs/search">Everything in the documentation</a>');
    });

    it.each(["constructor", "__proto__"])("finds nothing for %s, which every object has and no page", async (word) => {
      expect((await call(portal.url, `/docs/search?q=${word}`)).status).toBe(200);
    });

    it("lets others be served while four connections have a hundred searches each", async () => {
      await call(portal.url, "/docs/search?q=worker");
      const sockets = [1, 2, 3, 4].map(() => connect(Number(new URL(portal.url).port), "127.0.0.1"));
      const received = new Map(sockets.map((socket) => [socket, ""]));
      for (const socket of sockets)
        socket.on("data", (bytes) => received.set(socket, received.get(socket) + bytes.toString("latin1")));
      const answered = () => [...received.values()].join("").split("HTTP/1.1 200 ").length - 1;
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
      const search = "GET /docs/search?q=worker%20event%20key HTTP/1.1\r\nhost: a\r\n\r\n";
      // More on one connection would close it (R-X413).
      for (const socket of sockets) socket.write(search.repeat(100));
      await eventually(
        async () => answered(),
        (count) => count > 0,
      );
      expect((await call(portal.url, "/docs")).status).toBe(200);
      expect(answered()).toBeLessThan(400);
      const all = await eventually(
        async () => answered(),
        (count) => count === 400,
        30_000,
      );
      for (const socket of sockets) socket.destroy();
      expect(all).toBe(400);
    });

    it("refuses more than a hundred characters and a word given twice", async () => {
      expect((await call(portal.url, `/docs/search?q=${"x".repeat(101)}`)).status).toBe(400);
      expect((await call(portal.url, "/docs/search?q=a&q=b")).status).toBe(400);
    });
  });
});
