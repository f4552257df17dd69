import { createHash } from "node:crypto";

/** The names that the contracts' examples give to what they speak of. */
export const EXAMPLE = {
  issuer: "http://localhost:8080",
  instanceId: "instance_5TfWj2RkYx8MbQ1ZnC6Lp",
  personId: "person_7NcLx3QzTb8VmK5WsR2Jd",
  managerPersonId: "person_1DvKx7QwTm4ZbR9LsN5Gc",
  email: "maren.dahl@harbour-bakery.example",
  password: "correct horse battery staple",
  applicationId: "app_5RtGv2KmWz8QbL4XcN9Ys",
  redirectUri: "https://payroll.example/callback",
  applicationSecret: "ghs_Tq7Zx4Lm9Wc2Vb8Rk1Np6Sd3Hf5Jg0YtXeUoIaQwErP",
  refreshToken: "ghr_Yk5Vw8Zb2Nc7Lm4Qs9Xt1Rd6Hp3Jf0GaUeOiTnWyBvK",
  code: "s4Wd9Kx2LmQv7TzR1bN6YcHpGj8FkS3XwVtB5eDnUaM",
  passwordLink: "Zk3vQ9xT2bW7mL5cN8sRfG4tGJ9sWmQ2xZbL7NcR5Kd",
  logout: "Vb6nQ2xT9bW4mL7cN1sRfG",
} as const;

/** A row of the store, by columns. */
export type Row = Readonly<Record<string, string | number | Buffer | null>>;
/** Rows by table, in an order in which they can be written. */
export type Rows = readonly (readonly [table: string, ...rows: readonly Row[]])[];

/** Unix milliseconds of an instant. */
export const at = (text: string): number => Date.parse(text);
/** As secrets are kept. */
export const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
