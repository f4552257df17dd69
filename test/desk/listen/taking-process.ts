import { lockListener } from "../../../desk/src/listen/listener-lock.ts";

// Locks the state file that its argument names, says what came of it, and keeps the lock until it is killed.
try {
  lockListener(process.argv[2] ?? "", "marigold");
  process.stdout.write("owner\n");
} catch (error) {
  process.stdout.write(`refused: ${String(error)}\n`);
}
setInterval(() => undefined, 1000);
