import { answeredBesidesALock, MANY_CALLS } from "../../support/besides-a-lock.ts";
import { onPostgres } from "../../support/stores.ts";
import { exhaust, start } from "../recoveries/recovery-kit.ts";
import { openKit } from "../webhooks-kit.ts";

onPostgres((open) => {
  describe("what another process has locked while it is paused (R-X411)", () => {
    it.each(["subscription", "recovery"] as const)(
      "changes of a %s leave connections for what is read, however many there are",
      async (locked) => {
        const kit = await openKit(open);
        const { id } = await kit.subscribe();
        await exhaust(kit, 1);
        const recoveryId = await start(kit, id);
        await kit.subscribe({ label: "other" });
        await kit.emit();
        await kit.relay();
        const { lock, call } = {
          subscription: {
            lock: `select id from webhooks_subscriptions where id = '${id}' for update`,
            call: (): Promise<unknown> => kit.subscriptions.pauseSubscription({ subscriptionId: id }),
          },
          recovery: {
            lock: `select id from webhooks_recoveries where id = '${recoveryId}' for update`,
            call: (): Promise<unknown> => kit.operator.cancelRecovery({ recoveryId }),
          },
        }[locked];
        const besides = await answeredBesidesALock({
          holder: await kit.opened.again(),
          lock,
          calls: () => Array.from({ length: MANY_CALLS }, call),
          asked: () => kit.subscriptions.getSubscription({ subscriptionId: id }),
        });
        expect(besides).toMatchObject({ asked: "fulfilled", calls: { length: MANY_CALLS } });
      },
    );
  });
});
