import type { GetUserinfoResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components } from "#generated/types/sign-on.ts";

type Userinfo = components["schemas"]["Userinfo"];

/** Leaves out every claim without a value. `aub` is the sample's spelling of `aud` (R-S4). */
export const toUserinfo = (reply: GetUserinfoResponse): Userinfo => ({
  sub: reply.subject,
  aud: reply.audience,
  aub: reply.audience,
  ...present("name", reply.name),
  ...present("firstName", reply.firstName),
  ...present("lastName", reply.lastName),
  ...present("given_name", reply.firstName),
  ...present("family_name", reply.lastName),
  ...present("email", reply.email),
  ...present("email_verified", reply.emailVerified),
  workerProfileId: reply.workerProfileId,
  userIds: reply.users.map(({ id, tenantId }) => ({ id, clientId: tenantId })),
  workerIds: reply.workers.map(({ id, tenantId }) => ({ id, clientId: tenantId })),
  ...(reply.lastLoginContext === null
    ? {}
    : {
        lastLoginContext: {
          userType: reply.lastLoginContext.worker ? "WORKER" : "USER",
          clientId: reply.lastLoginContext.tenantId,
        } as const,
      }),
});

/** The application that an access token names, verified or not; `undefined` when it cannot be read. */
export function namedApplication(accessToken: string | undefined): string | undefined {
  const payload = accessToken?.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const { client_id } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { client_id?: unknown };
    return typeof client_id === "string" ? client_id : undefined;
  } catch {
    return undefined;
  }
}

const present = <N extends keyof Userinfo, V extends Userinfo[N]>(
  name: N,
  value: V | null | undefined,
): { [K in N]?: V } => (value === null || value === undefined ? {} : ({ [name]: value } as { [K in N]: V }));
