/** The parts that can be read, by the name of their page. */
export type PartName = "sign-on" | "gateway" | "events" | "platform";

/** A contract that is drawn for reading, with its files. */
export interface Documented {
  readonly page: PartName;
  readonly title: string;
  /** What the part does, in a sentence. */
  readonly says: string;
  readonly downloads: readonly { readonly name: string; readonly href: string }[];
}

/** In the order of the navigation. */
export const DOCUMENTED: readonly Documented[] = [
  {
    page: "sign-on",
    title: "Sign-on",
    says: "Sends people back to your application signed in: OAuth 2.0 authorization code flow with OpenID Connect.",
    downloads: filesOf("sign-on"),
  },
  {
    page: "gateway",
    title: "Gateway",
    says: "Answers holders of an API key who works where: companies, their workers, users and structure. Integrations manage their own webhooks there too.",
    downloads: filesOf("gateway"),
  },
  {
    page: "events",
    title: "Events",
    says: "Signed messages to your endpoint when something changes (Standard Webhooks). Test your verifier with the signed examples.",
    downloads: [...filesOf("webhooks.asyncapi"), { name: "Signed examples", href: "/contracts/webhooks.vectors.json" }],
  },
  {
    page: "platform",
    title: "Platform",
    says: "For the platform's own back end: writes companies, people, users and workers by gRPC, on a private socket.",
    downloads: [
      { name: "Workforce proto", href: "/contracts/platform.workforce.proto" },
      { name: "Sign-on proto", href: "/contracts/platform.sign-on.proto" },
    ],
  },
];

function filesOf(contract: string): Documented["downloads"] {
  return [
    { name: "YAML", href: `/contracts/${contract}.yaml` },
    { name: "JSON", href: `/contracts/${contract}.json` },
  ];
}
