import type { MigrationSet } from "#runtime/database/migrations.ts";
import { firstTables } from "./0001-first-tables.ts";
import { connections } from "./0002-connections.ts";
import { handOver } from "./0003-hand-over.ts";
import { orderByTheStore } from "./0004-order-by-the-store.ts";
import { returnedClaims } from "./0005-returned-claims.ts";
import { queueAndSettled } from "./0006-queue-and-settled.ts";
import { livesOfSubscriptions } from "./0007-lives-of-subscriptions.ts";
import { recoveries } from "./0008-recoveries.ts";
import { eventsAndFeed } from "./0009-events-and-feed.ts";
import { turns } from "./0010-turns.ts";
import { failingRuns } from "./0011-failing-runs.ts";
import { endpointsOfIntegrations } from "./0012-endpoints-of-integrations.ts";
import { countedRuns } from "./0013-counted-runs.ts";

export const webhooksMigrations: MigrationSet = {
  owner: "webhooks",
  migrations: [
    firstTables,
    connections,
    handOver,
    orderByTheStore,
    returnedClaims,
    queueAndSettled,
    livesOfSubscriptions,
    recoveries,
    eventsAndFeed,
    turns,
    failingRuns,
    endpointsOfIntegrations,
    countedRuns,
  ],
};
