import type { Application } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type Subscription, SubscriptionState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { enumWord } from "../../output/enum-word.ts";
import { nextOf } from "../subscriptions/subscription-shown.ts";
import type { Inactive } from "./onboarded-shown.ts";

/** An application that was there and is disabled: an onboarding leaves it so. `undefined` for an enabled one. */
export const disabledApplication = ({ id, disabledAt }: Application): Inactive | undefined =>
  disabledAt === null
    ? undefined
    : {
        state: "disabled",
        cure: leadingTo(
          "it is disabled, and sign-ins with it are refused; to enable it:",
          run`gatehouse applications enable ${id}`,
        ),
      };

/** A subscription that was there and is sent nothing: an onboarding leaves it so. `undefined` for an active one. */
export function inactiveSubscription(subscription: Subscription): Inactive | undefined {
  if (subscription.state === SubscriptionState.ACTIVE) return undefined;
  const state = enumWord(SubscriptionState, subscription.state);
  return { state, cure: leadingTo(`it is ${state}, and gets no events; to make it active:`, nextOf(subscription)) };
}
