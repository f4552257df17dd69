import type { Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Connection } from "./connection.ts";

export interface ConnectionRepository {
  /**
   * Stores the state of an instance integration, unless a newer one is known. Two relays may do so in any order
   * (R-E14).
   */
  record(tx: Transaction<WebhooksTables>, connection: Connection): Promise<void>;
}

export const connectionRepository: ConnectionRepository = {
  async record(tx, { instanceIntegrationId, state, revision }) {
    await tx
      .insertInto("webhooks_connections")
      .values({ instance_integration_id: instanceIntegrationId, state, revision })
      .onConflict((conflict) =>
        conflict
          .column("instance_integration_id")
          .doUpdateSet({ state, revision })
          .where("webhooks_connections.revision", "<", revision),
      )
      .execute();
  },
};
