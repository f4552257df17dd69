import { familySweepRepository } from "../../../../src/sign-on/refresh-tokens/family-sweep-repository.ts";
import { obtainCode } from "../../../support/browser.ts";
import { type Answer, call } from "../../../support/http.ts";
import { familiesOf, testTokens } from "../../families-kit.ts";
import { describeSignOn } from "../../sign-on-fixture.ts";
import { codeGrant, expectRefusal, inBody, type Parameters, refreshGrant, type Tokens } from "./token-kit.ts";

const DAY_MS = 86_400_000;
/** The same text with one bit of one of its bytes changed. */
const changedAt = (text: string, byte: number): string => {
  const bytes = Buffer.from(text, "base64url");
  bytes.writeUInt8(bytes.readUInt8(byte) ^ 1, byte);
  return bytes.toString("base64url");
};
/** Bytes of number and generation, and of the secret. */
const BYTES = [0, 8, 15, 16, 47];

describeSignOn("codes and refresh tokens that were changed, or whose family is gone (R-X225)", (scene) => {
  const send = (form: Parameters): Promise<Answer> =>
    call(scene().signOn.url, "/auth/token", { form: { ...form, ...inBody(scene().world) } });
  const obtain = () => obtainCode(scene().signOn.url, scene().world);
  const redeemed = async () => (await send(codeGrant(await obtain()))).json<Tokens>();
  const secretPart = (refreshToken: string) => refreshToken.slice("ghr_".length);
  const statusOfUserinfo = async ({ access_token }: Tokens) =>
    (await call(scene().signOn.url, "/auth/userinfo", { headers: { authorization: `Bearer ${access_token}` } })).status;
  /** The bodies of all refusals must be one body, but for the id of each request. */
  const expectSame = (answers: readonly Answer[]) => {
    for (const answer of answers) expectRefusal(answer, 400, "invalid_grant");
    expect(new Set(answers.map(({ text }) => text.replace(/req_\w{21}/, ""))).size).toBe(1);
  };

  it("a changed code is as unknown as one that never was, and the right one is good still", async () => {
    const code = await obtain();
    const other = testTokens().newCode(testTokens().readCode(code).number);
    const { refresh_token } = await redeemed();
    const changed = [...BYTES.map((byte) => changedAt(code, byte)), other, secretPart(refresh_token), "x"];
    expectSame(await Promise.all(changed.map((text) => send(codeGrant(text)))));
    expect((await send(codeGrant(code))).status).toBe(200);
  });

  it("a changed refresh token is as unknown as one that never was, and ends nothing: current, replaced or spent", async () => {
    const first = await redeemed();
    const second = (await send(refreshGrant(first.refresh_token))).json<Tokens>();
    const third = (await send(refreshGrant(second.refresh_token))).json<Tokens>();
    const code = await obtain();
    const texts = [first, second, third].map((tokens) => secretPart(tokens.refresh_token));
    const { number } = testTokens().readRefreshToken(third.refresh_token);
    const foreign = [1, 2, 3, 4].map((generation) =>
      secretPart(testTokens().refreshToken({ number: number + 1, generation }, Buffer.alloc(32, 1))),
    );
    const changed = [...texts.flatMap((text) => BYTES.map((byte) => changedAt(text, byte))), ...foreign, code, "x"];
    expectSame(await Promise.all(changed.map((text) => send(refreshGrant(`ghr_${text}`)))));
    expect(await statusOfUserinfo(third)).toBe(200);
    expect((await send(refreshGrant(third.refresh_token))).status).toBe(200);
  });

  it("of a family that was swept, code and refresh tokens are as unknown as any other", async () => {
    const code = await obtain();
    const tokens = (await send(codeGrant(code))).json<Tokens>();
    const { db, clock } = scene().signOn;
    clock.step(33 * DAY_MS);
    await familySweepRepository(db).sweep(clock.now().getTime(), new AbortController().signal);
    expect(await familiesOf(db).find(testTokens().readCode(code).number)).toBeUndefined();
    expectSame([await send(codeGrant(code)), await send(codeGrant("x"))]);
    expectSame([await send(refreshGrant(tokens.refresh_token)), await send(refreshGrant("x"))]);
  });
});
