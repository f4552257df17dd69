/** The flags of an application's lifetimes, in seconds. */
export interface LifetimeOptions {
  readonly authorizationCodeSeconds?: number;
  readonly accessTokenSeconds?: number;
  readonly idTokenSeconds?: number;
  readonly refreshTokenIdleSeconds?: number;
  readonly refreshTokenAbsoluteSeconds?: number;
}

/** As the message has them; what no flag named stays open. */
export const toLifetimes = (options: LifetimeOptions) => ({
  authorizationCodeSeconds: options.authorizationCodeSeconds ?? null,
  accessTokenSeconds: options.accessTokenSeconds ?? null,
  idTokenSeconds: options.idTokenSeconds ?? null,
  refreshTokenIdleSeconds: options.refreshTokenIdleSeconds ?? null,
  refreshTokenAbsoluteSeconds: options.refreshTokenAbsoluteSeconds ?? null,
});
