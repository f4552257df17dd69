import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { SubscriptionId } from "../../../src/runtime/basis/ids.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openPostgres } from "../../../src/runtime/database/postgres/postgres.ts";
import { postgresWake } from "../../../src/runtime/wake/postgres-wake.ts";
import { feedRepository } from "../../../src/webhooks/feed/feed-repository.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { eventually } from "../../support/eventually.ts";
import { describeWith } from "../../support/optional-part.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../support/postgres-server.ts";
import { withScope } from "../../support/scope.ts";
import { silentLog } from "../../support/silent-log.ts";
import type { TestStore } from "../../support/stores.ts";
import { webhooksKit } from "../webhooks-kit.ts";
import { emitted, readFeed } from "./feed-kit.ts";

describeWith({ name: "PostgreSQL", missing: postgresMissing() }, "a feed whose PostgreSQL is a standby", () =>
  withScope((closeLater) => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
      closeLater(() => server.stop());
    });

    const opened = async (): Promise<TestStore> => {
      const location = `postgresql://gatehouse@${encodeURIComponent(server.directory)}/postgres`;
      const store = await openPostgres(location, { connections: 3 });
      const wake = postgresWake(location, silentLog);
      closeLater(async () => {
        await wake.close();
        await store.close();
      });
      return { store, wake, location, again: opened, racers: () => Promise.all([opened()]) };
    };

    // What a standby has replayed names numbers whose commits it may replay later: a cursor behind them would pass over
    // their events, which others already have.
    it("is not read until the standby is the primary, and then goes on (R-X288)", async () => {
      const before = await opened();
      await migrate(before.store, [runtimeMigrations, webhooksMigrations], new Date(0));
      const kit = webhooksKit(before);
      const { id } = await kit.subscribe();
      await emitted(kit, 3);
      const { next } = await readFeed(kit, id, { limit: 2 });
      writeFileSync(join(server.directory, "data", "standby.signal"), "");
      await server.restart("fast");
      await expect(readFeed(kit, id, { after: next })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(readFeed(kit, id, { after: "now" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      // The end was asked of the primary, and then the connection was lost: what is before it may not be here yet.
      const stretch = { after: 0, until: 3 };
      const list = feedRepository(before.store.view()).list(id as SubscriptionId, stretch, 10);
      await expect(list).rejects.toMatchObject({ code: "UNAVAILABLE" });
      // So are those who wait: each would be taken for one that has nothing before that end.
      const receivers = feedRepository(before.store.view()).listReceivers(stretch);
      await expect(receivers).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await sql`select pg_promote()`.execute(before.store.view());
      const page = await eventually(
        () => readFeed(kit, id, { after: next }).catch(() => undefined),
        (read) => read !== undefined,
      );
      expect(page?.events).toHaveLength(1);
    });
  }),
);
