import { DefaultFailureConverter } from "@temporalio/common";

/** Writes failures of workflows and activities without their stacks, which would put the machine's paths into histories (R-E15). */
class WithoutStacks extends DefaultFailureConverter {
  override errorToFailureInner(...given: Parameters<DefaultFailureConverter["errorToFailureInner"]>) {
    return { ...super.errorToFailureInner(...given), stackTrace: "" };
  }
}

/** Temporal's SDK loads it by this name. */
export const failureConverter = new WithoutStacks();
