import { globSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { gatehouseStandIn } from "./support/gatehouse-stand-in.ts";
import { runSample, SAMPLE_FOLDER, SIGNING_SECRET, settingsFor, startSample } from "./support/sample-process.ts";
import { sampleSuite } from "./support/sample-suite.ts";

sampleSuite("the sample integrator", (context) => {
  const { get, pageText } = context;

  describe("start and end", () => {
    it("prints its address in one line, and listens on both loopback addresses", async () => {
      expect(context.sample.output()).toBe(`The sample integrator is ready at ${context.sample.url}\n`);
      const port = Number(new URL(context.sample.url).port);
      expect(await accepts("127.0.0.1", port)).toBe(true);
      expect((await accepts("::1", port)) || !(await hasIpv6())).toBe(true);
    });

    it("stops at once on SIGTERM, with or without open connections", async () => {
      await pageText("/");
      await context.sample.stop();
      expect(context.sample.process.exitCode).toBe(0);
    });

    it("reports a taken port in one line, and to its starter by exit code 98", async () => {
      const { code, stdout, stderr } = await runSample(settingsFor(context.sample.url, context.gatehouse.url));
      expect({ code, stdout }).toEqual({ code: 98, stdout: "" });
      expect(stderr).toMatch(/^Port \d+ is taken on 127\.0\.0\.1: stop what uses it\.\n$/);
    });

    it("takes its settings from demo.json; the environment has priority", async () => {
      const { url } = context.sample;
      const folder = newFolder("sample-");
      const GATEHOUSE_DEMO_FILE = join(folder, "demo.json");
      const demo = {
        issuer: context.gatehouse.url,
        gatewayUrl: context.gatehouse.url,
        sampleUrl: url,
        people: [],
        application: { clientId: "app_1", clientSecret: "ghs_1", redirectUri: `${url}/callback` },
        apiKey: "ghk_1",
        webhook: { subscriptionId: "subscription_1", signingSecret: SIGNING_SECRET, endpointUrl: `${url}/webhooks` },
      };
      writeFileSync(GATEHOUSE_DEMO_FILE, JSON.stringify(demo));
      // That far it only comes when every setting was found.
      expect((await runSample({ GATEHOUSE_DEMO_FILE })).stderr).toContain(`Port ${new URL(url).port} is taken`);
      expect((await runSample({ GATEHOUSE_DEMO_FILE, SAMPLE_ISSUER: "gatehouse" })).stderr).toContain("SAMPLE_ISSUER");
      writeFileSync(GATEHOUSE_DEMO_FILE, "{");
      expect((await runSample({ GATEHOUSE_DEMO_FILE })).stderr).toContain(`${GATEHOUSE_DEMO_FILE} is not JSON`);
    });

    it("reports every wrong setting at once", async () => {
      const { SAMPLE_API_KEY: _, ...settings } = settingsFor("http://localhost:1", context.gatehouse.url);
      const { code, stderr } = await runSample({
        ...settings,
        SAMPLE_ISSUER: "gatehouse",
        SAMPLE_SIGNING_SECRET: "whsec_?",
      });
      expect(code).toBe(1);
      expect(stderr).toContain("/nowhere/demo.json does not exist");
      expect(stderr).toContain("SAMPLE_ISSUER (issuer in the file) is not an http or https address");
      expect(stderr).toContain("SAMPLE_API_KEY (apiKey in the file) is missing");
      expect(stderr).toContain("SAMPLE_SIGNING_SECRET (webhook.signingSecret in the file) is not a signing secret");
    });
  });

  it("uses only its own files, Node, the SDK and two packages", () => {
    const sources = globSync(join(SAMPLE_FOLDER, "src/**/*.ts")).map((file) => readFileSync(file, "utf8"));
    const imported = sources.flatMap((source) => [...source.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name));
    const foreign = imported.filter((name) => !/^(node:|\.\/|\.\.\/(?!\.))/.test(name ?? ""));
    expect(new Set(foreign)).toEqual(new Set(["gatehouse-sdk", "openid-client", "standardwebhooks"]));
  });

  describe("the page", () => {
    it("works without script and allows only its own", async () => {
      const response = await get("/");
      expect(response.status).toBe(200);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
      const text = await response.text();
      expect(text).toContain("Sign in with Gatehouse");
      expect(text).not.toMatch(/<script(?! type="module" src="\/live\.js")|<style|style=|http-equiv/);
    });

    it.each(["/style.css", "/live.js", "/icon.svg"])("has %s", async (path) => {
      expect((await get(path)).status).toBe(200);
    });

    it("answers other paths and methods with 404 and 405", async () => {
      expect((await get("/nothing")).status).toBe(404);
      expect((await get("//")).status).toBe(404);
      expect((await get("/webhooks")).status).toBe(405);
      expect((await get("/", { method: "HEAD" })).status).toBe(200);
    });

    it("is refused under a foreign host name (DNS rebinding)", async () => {
      const answer = await rawRequest(
        context.sample.url,
        "GET /events.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      );
      expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    });
  });

  it("runs without Gatehouse: says so, and signs in once it is back", async () => {
    const port = await freePort();
    const absent = `http://localhost:${port}`;
    const alone = await startSample(absent);
    try {
      const home = await fetch(alone.url);
      expect(home.status).toBe(200);
      expect(await home.text()).toContain("The gateway does not answer");
      const signIn = await fetch(`${alone.url}/sign-in`);
      expect(signIn.status).toBe(502);
      expect(await signIn.text()).toContain("Gatehouse does not answer");
      await using _late = await gatehouseStandIn(port);
      expect((await fetch(`${alone.url}/sign-in`, { redirect: "manual" })).status).toBe(302);
    } finally {
      await alone.stop();
    }
  });

  it("refuses plain http with an issuer on another machine", async () => {
    const far = await startSample("http://gatehouse.example");
    try {
      const response = await fetch(`${far.url}/sign-in`);
      expect(response.status).toBe(502);
      expect(await response.text()).toContain("only requests to HTTPS are allowed");
    } finally {
      await far.stop();
    }
  });
});

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Distinguishes a machine without IPv6 from a program that does not listen: a refusal comes from an address that exists. */
function hasIpv6(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(1, "::1");
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
    socket.once("connect", () => resolve(true));
  });
}

function rawRequest(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
