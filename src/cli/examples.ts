/**
 * An example for each command, as one types it in a shell beside a new demonstration: each works when those above it
 * have been run (test/cli/examples.test.ts). A part that ends in `…` is for the reader to fill in.
 */
export const EXAMPLES: Readonly<Record<string, string>> = {
  serve: "gatehouse serve --issuer https://login.example.com",
  demo: "gatehouse demo",
  config: "gatehouse config --development",
  "instances create": 'gatehouse instances create --name "South America"',
  "instances rename": 'gatehouse instances rename "South America" --name "Latin America"',
  "instances list": "gatehouse instances list",
  "tenants create": 'gatehouse tenants create --instance Europe --name "Harbour Bakery" --city Rotterdam',
  "tenants update": 'gatehouse tenants update "Harbour Bakery" --city Delft --country NL',
  "tenants show": 'gatehouse tenants show "Harbour Bakery"',
  "tenants list": "gatehouse tenants list --instance Europe",
  "users invite": 'gatehouse users invite --tenant "Harbour Bakery" --email ines.vogt@harbour.example --role Admin',
  "users list": 'gatehouse users list --tenant "Nordlicht Logistik"',
  "users show": "gatehouse users show maren.dahl@nordlicht.example",
  "users assign-manager":
    "gatehouse users assign-manager tomasz.wojcik@nordlicht.example --manager yasmin.haddad@nordlicht.example",
  "users assign-role": "gatehouse users assign-role tomasz.wojcik@nordlicht.example --role Admin",
  "users edit-permissions":
    "gatehouse users edit-permissions tomasz.wojcik@nordlicht.example --permission payroll.read",
  "users enable": "gatehouse users enable birgit.petersen@nordlicht.example",
  "users disable": 'gatehouse users disable "Birgit Petersen" --tenant "Nordlicht Logistik"',
  "users delete": "gatehouse users delete ines.vogt@harbour.example",
  "roles list": 'gatehouse roles list --tenant "Nordlicht Logistik"',
  "roles create": 'gatehouse roles create --tenant "Nordlicht Logistik" --name Payroll --permission payroll.read',
  "roles update": 'gatehouse roles update Payroll --tenant "Nordlicht Logistik" --permission payroll.write',
  "unit-types create": 'gatehouse unit-types create --tenant "Harbour Bakery" --name Department --unit Ovens',
  "unit-types rename": 'gatehouse unit-types rename Department --tenant "Harbour Bakery" --name Team',
  "unit-types list": 'gatehouse unit-types list --tenant "Nordlicht Logistik"',
  "units create": 'gatehouse units create --tenant "Harbour Bakery" --unit-type Team --name Pastry --parent Ovens',
  "units update": 'gatehouse units update Pastry --tenant "Harbour Bakery" --code OV-P',
  "units list": 'gatehouse units list --tenant "Nordlicht Logistik"',
  "locations create": 'gatehouse locations create --tenant "Harbour Bakery" --name "Quay Street"',
  "workers onboard":
    'gatehouse workers onboard --tenant "Harbour Bakery" --email ines.vogt@harbour.example --first-name Ines --last-name Vogt --unit Ovens --location "Quay Street"',
  "workers update": "gatehouse workers update ines.vogt@harbour.example --job-title Baker --unit Pastry",
  "workers show": 'gatehouse workers show "Ines Vogt" --tenant "Harbour Bakery"',
  "workers list": 'gatehouse workers list --tenant "Nordlicht Logistik"',
  "workers end": "gatehouse workers end ines.vogt@harbour.example",
  "locations delete": 'gatehouse locations delete "Quay Street" --tenant "Harbour Bakery"',
  "locations list": 'gatehouse locations list --tenant "Nordlicht Logistik"',
  onboard:
    'gatehouse onboard "Quay Payroll" --instance Europe --redirect-uri https://quay.example/callback --endpoint-url https://quay.example/events --hand-over new-hand-over…',
  "integrations create": "gatehouse integrations create --name Wages",
  "integrations connect": "gatehouse integrations connect --integration Wages --instance Europe",
  "integrations list": "gatehouse integrations list",
  "integrations rename": 'gatehouse integrations rename Wages --name "Wages Plus"',
  "integrations configure": 'gatehouse integrations configure "Wages Plus on Europe"',
  "integrations unconfigure": 'gatehouse integrations unconfigure "Wages Plus"',
  "integrations revoke": 'gatehouse integrations revoke Europe --integration "Wages Plus"',
  "api-keys issue": "gatehouse api-keys issue --integration Marigold --label Production --rate-limit 20/40",
  "api-keys list": "gatehouse api-keys list --integration Marigold",
  "api-keys revoke": "gatehouse api-keys revoke Production --integration Marigold",
  "applications create":
    'gatehouse applications create --name "Time clock" --redirect-uri https://clock.example/callback --instance Europe',
  "applications list": "gatehouse applications list",
  "applications show": "gatehouse applications show Marigold",
  "applications update": 'gatehouse applications update "Time clock" --consent never',
  "applications rotate-secret": 'gatehouse applications rotate-secret "Time clock" --keep-previous 7d',
  "applications redirect-uris add":
    'gatehouse applications redirect-uris add "Time clock" https://t.example/ --instance "North America"',
  "applications redirect-uris remove": 'gatehouse applications redirect-uris remove "Time clock" https://t.example/',
  "applications redirect-uris list": 'gatehouse applications redirect-uris list "Time clock"',
  "applications disable": 'gatehouse applications disable "Time clock"',
  "applications enable": 'gatehouse applications enable "Time clock"',
  "applications delete": 'gatehouse applications delete "Time clock" --yes',
  "subscriptions create":
    'gatehouse subscriptions create --label time-clock --instance-integration "Marigold on Europe" --endpoint-url https://clock.example/events --event-type "user.*"',
  "subscriptions list": "gatehouse subscriptions list",
  "deliveries list": "gatehouse deliveries list --subscription sample-integrator --state pending exhausted",
  "deliveries show": "gatehouse deliveries show delivery_…",
  "people show": "gatehouse people show maren.dahl@nordlicht.example",
  "people update": "gatehouse people update maren.dahl@nordlicht.example --last-name Dahl-Petersen",
  "people disable": "gatehouse people disable maren.dahl@nordlicht.example",
  "people enable": "gatehouse people enable maren.dahl@nordlicht.example",
  "people invite": "gatehouse people invite leyla.demir@nordlicht.example",
  "people reset": "gatehouse people reset maren.dahl@nordlicht.example",
  "people sessions": "gatehouse people sessions maren.dahl@nordlicht.example",
  "passwords set": "gatehouse passwords set --person maren.dahl@nordlicht.example",
  explain: "gatehouse explain req_…",
  "tokens explain": "gatehouse tokens explain --file token-file…",
  "audit list": 'gatehouse audit list --action "application.*" --limit 10',
  "signing-keys list": "gatehouse signing-keys list",
  "signing-keys rotate": "gatehouse signing-keys rotate --algorithm ES256",
  "signing-keys revoke": 'gatehouse signing-keys revoke key-id… --emergency "lost with a backup"',
  completion: "gatehouse completion bash",
  export: "gatehouse export new-file…",
  import: "gatehouse import file…",
  seed: "gatehouse seed --tenants 2 --workers 20",
};

/** The example of a command; of a noun the one of its list, or its first. */
export function exampleOf(words: string): string | undefined {
  const own = EXAMPLES[words] ?? EXAMPLES[`${words} list`];
  return own ?? Object.entries(EXAMPLES).find(([name]) => name.startsWith(`${words} `))?.[1];
}
