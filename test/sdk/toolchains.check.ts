import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, onboarding, REDIRECT_URI, type World } from "../support/world.ts";
import { TOOLCHAINS } from "./toolchains.ts";

/** Installing and compiling, with nothing cached, on a busy machine. */
const PREPARE_MS = 600_000;

describe.each(TOOLCHAINS)("the SDK in $language", (toolchain) => {
  describeWith(
    { name: `the toolchain of ${toolchain.language}`, missing: toolchain.missing() },
    "installed and called",
    () =>
      withScope((closeLater) => {
        let gatehouse: Gatehouse;
        let world: World;
        beforeAll(async () => {
          gatehouse = await openGatehouse(closeLater);
          world = await makeWorld(gatehouse);
          await gatehouse.platform.onboardWorker(onboarding(world.tenantId, "tomas@harbour.example"));
        });

        it(
          "lists workers, gives typed errors for 401 and 404, exchanges a code, and types the refusal of its repetition",
          async () => {
            const { file, args, cwd } = await toolchain.prepare();
            const back = await signIn(new Browser(gatehouse.url), authorizePath(world), { email: world.email });
            const { stdout } = await promisify(execFile)(file, [...args], {
              cwd,
              env: {
                PATH: process.env.PATH,
                GATEHOUSE_URL: gatehouse.url,
                GATEHOUSE_API_KEY: world.apiKey,
                GATEHOUSE_INSTALLATION: world.instanceIntegrationId,
                GATEHOUSE_CLIENT: world.tenantId,
                GATEHOUSE_UNKNOWN_CLIENT: "client_000000000000000000000",
                GATEHOUSE_APPLICATION: world.application.id,
                GATEHOUSE_SECRET: world.application.secret,
                GATEHOUSE_CODE: back.searchParams.get("code") ?? "",
                GATEHOUSE_REDIRECT_URI: REDIRECT_URI,
              },
            });
            expect(JSON.parse(stdout)).toEqual({
              workers: ["Tomas Lindqvist"],
              unauthorized: { status: 401, code: "unauthorized", requestId: true },
              notFound: { status: 404, code: "client_not_found", requestId: true },
              tokenType: "Bearer",
              email: world.email,
              refused: { status: 400, error: "invalid_grant" },
            });
          },
          PREPARE_MS,
        );
      }),
  );
});
