import { GatewayProblem, gatehouse, SignOnRefusal } from "gatehouse-sdk";

/** Calls the SDK as an integrator would, and prints what it got as one line of JSON. */

const asked = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const url = asked("GATEHOUSE_URL");
const place = { instanceIntegrationId: asked("GATEHOUSE_INSTALLATION"), clientId: asked("GATEHOUSE_CLIENT") };

const problemOf = async (call: Promise<unknown>) => {
  try {
    await call;
  } catch (error) {
    if (error instanceof GatewayProblem)
      return { status: error.status, code: error.problem.code, requestId: error.problem.requestId === error.requestId };
    throw error;
  }
  throw new Error("No problem was thrown");
};

const { gateway } = gatehouse({ url, apiKey: asked("GATEHOUSE_API_KEY") });
const workers = await gateway.listWorkers(place);
const unauthorized = await problemOf(gatehouse({ url, apiKey: "wrong" }).gateway.listWorkers(place));
const notFound = await problemOf(gateway.listWorkers({ ...place, clientId: asked("GATEHOUSE_UNKNOWN_CLIENT") }));

const { signOn } = gatehouse({ url });
const tokenRequest = {
  grantType: "authorization_code",
  code: asked("GATEHOUSE_CODE"),
  redirectUri: asked("GATEHOUSE_REDIRECT_URI"),
  clientId: asked("GATEHOUSE_APPLICATION"),
  clientSecret: asked("GATEHOUSE_SECRET"),
} as const;
const tokens = await signOn.exchangeToken({ tokenRequest });
const claims = await gatehouse({ url, accessToken: tokens.accessToken }).signOn.getUserinfo();
const refused = await signOn.exchangeToken({ tokenRequest }).then(
  () => undefined,
  (error: unknown) =>
    error instanceof SignOnRefusal ? { status: error.status, error: error.refusal.error } : undefined,
);

process.stdout.write(
  JSON.stringify({
    workers: workers.map(({ fullName }) => fullName),
    unauthorized,
    notFound,
    tokenType: tokens.tokenType,
    email: claims.email,
    refused,
  }),
);
