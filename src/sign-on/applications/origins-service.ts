import type { CheckOriginRequest, CheckOriginResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { ApplicationRepository } from "./application-repository.ts";

/** Whether an origin is registered: by the application named, or by any when none is (R-S15, RFC 9700 §2.6). Disabled ones do not count. */
export const checkOrigin =
  ({ applications }: { readonly applications: ApplicationRepository }) =>
  async ({ origin, applicationId }: CheckOriginRequest): Promise<CheckOriginResponse> => {
    if (typeof applicationId !== "string") return { registered: await applications.hasOrigin(origin) };
    const application = await applications.find(applicationId);
    return { registered: application?.corsOrigins.includes(origin) ?? false };
  };
