import type { Migration } from "#runtime/database/migrations.ts";

export const countedRuns: Migration = {
  number: 13,
  name: "runs of failures that are counted",
  statements: ({ integer }) => [
    // Of a run's deliveries those that were exhausted, since their own rows may be removed before the run ends.
    `alter table webhooks_failing_runs add column exhausted ${integer} not null default 0`,
    `update webhooks_failing_runs set exhausted = (
      select count(*) from (
        select reason, settled_at from webhooks_settled
        where webhooks_settled.subscription_id = webhooks_failing_runs.subscription_id
          and state = 'exhausted' and event_type <> 'webhook.ping'
        order by sequence desc limit 100
      ) as newest where settled_at >= webhooks_failing_runs.since and reason <> 'lost'
    )`,
  ],
};
