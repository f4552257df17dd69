import BetterSqlite3 from "better-sqlite3";

/** Adds token families to a store that is stopped: copies of the newest one, each under a number a little lower. */
export function addFamilies(store: string, count: number, from: number): void {
  const db = new BetterSqlite3(store);
  db.pragma("synchronous = off");
  const columns = (db.pragma("table_info(sign_on_families)") as readonly { readonly name: string }[]).map(
    ({ name }) => name,
  );
  const values = columns.map((name) => (name === "number" ? "template.number - n" : `template.${name}`));
  db.prepare(
    `with recursive numbers (n) as (select ? union all select n + 1 from numbers where n < ?),
      template as (select * from sign_on_families where generation > 0 order by number desc limit 1)
     insert into sign_on_families (${columns.join(", ")}) select ${values.join(", ")} from numbers, template`,
  ).run(from + 1, from + count);
  db.close();
}
