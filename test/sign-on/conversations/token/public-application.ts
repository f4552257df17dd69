import {
  ApplicationKind,
  type CreateApplicationRequest,
} from "../../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { World } from "../../../support/world.ts";
import { type Scene, withApplication } from "../../sign-on-fixture.ts";

/** The world as an application in a browser sees it: no secret, PKCE. */
export const publicApplication = (
  { signOn, world }: Scene,
  more: Partial<CreateApplicationRequest> = {},
): Promise<World> => withApplication(signOn, world, { kind: ApplicationKind.BROWSER, ...more });
