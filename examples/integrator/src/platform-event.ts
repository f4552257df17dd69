/** An event as Gatehouse sends it (the contract's envelope). */
export interface PlatformEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly entity: { readonly type: string; readonly id: string };
  readonly data: unknown;
}

/** A signature proves who sent a body, and a file is ours; either may still be malformed. */
export function isEvent(value: unknown): value is PlatformEvent {
  const { id, type, occurredAt } = (value ?? {}) as Partial<PlatformEvent>;
  return [id, type, occurredAt].every((member) => typeof member === "string");
}
