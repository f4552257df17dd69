import type { Clock } from "#runtime/basis/clock.ts";
import { type MinuteAllowance, minuteAllowance } from "../subscriptions/minute-allowance.ts";

/** Test events of one integration in each minute of the clock, in one process (R-X318). */
export const TEST_EVENTS_PER_MINUTE = 60;

/** Signed test messages of one integration in each minute of the clock, in one process (R-X362). */
const TEST_MESSAGES_PER_MINUTE = 1_000;

export const testMessageAllowance = (clock: Clock): MinuteAllowance => minuteAllowance(clock, TEST_MESSAGES_PER_MINUTE);

export const testEventAllowance = (clock: Clock): MinuteAllowance => minuteAllowance(clock, TEST_EVENTS_PER_MINUTE);
