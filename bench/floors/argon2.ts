import { argon2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** Floor of a sign-in: argon2id alone. Usage: node bench/floors/argon2.ts memory-KiB passes at-once hashes; prints hashes per second. */
const [memory = 0, passes = 0, atOnce = 0, hashes = 0] = process.argv.slice(2).map(Number);
const derive = promisify(argon2);
const hash = () =>
  derive("argon2id", {
    message: Buffer.from("correct horse battery staple"),
    nonce: randomBytes(16),
    parallelism: 1,
    tagLength: 32,
    memory,
    passes,
  });
const runAll = async (count: number) => {
  let next = 0;
  const worker = async () => {
    while (next++ < count) await hash();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
await runAll(atOnce * 2);
const startedAt = performance.now();
await runAll(hashes);
console.log(hashes / ((performance.now() - startedAt) / 1_000));
