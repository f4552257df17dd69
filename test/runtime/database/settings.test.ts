import { databaseSettings } from "../../../src/runtime/database/settings.ts";
import { readSettings } from "../../support/read-settings.ts";

describe("the address of PostgreSQL", () => {
  const given = (storeUrl: string) => () =>
    readSettings(databaseSettings, { flags: { "store-url": storeUrl }, environment: {} }, ["services"]);

  it.each([
    "postgresql://gatehouse@db-1,db-2:5432/gatehouse",
    "postgresql://gatehouse@db-1:5432,db-2:5432/gatehouse",
    "postgresql://gatehouse@db-1/gatehouse?host=db-1,db-2",
  ])("is of one host: a list would be looked up as one name (R-X379): %s", (storeUrl) => {
    expect(given(storeUrl)).toThrow(/store-url \(--store-url\): must be a postgresql:\/\/ URL of one host/);
  });

  it.each([
    "postgresql://gate,house:pass,word@db-1:5432/gate,house",
    "postgresql://gatehouse@%2Frun%2Fpostgresql/gatehouse",
    "postgresql://gatehouse@db-1/gatehouse?host=db-2",
  ])("is taken: %s", (storeUrl) => {
    expect(given(storeUrl)()).toMatchObject({ "store-url": storeUrl });
  });
});
