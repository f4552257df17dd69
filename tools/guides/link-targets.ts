import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WRITTEN } from "../../src/portal/guides/published-guides.ts";
import type { GrpcContract } from "../../src/portal/reference/grpc-contract.ts";
import { methodGroups } from "../../src/portal/reference/outline.ts";

const GUIDES_FOLDER = join("docs", "guides");
/** Operations that a page of the reference has, by its name. */
export type ReferencePages = Readonly<Record<string, ReadonlySet<string>>>;

export interface LinkTargets {
  /** Ids of the headings of each guide. */
  readonly guides: ReadonlyMap<string, ReadonlySet<string>>;
  /** Fragments of each page below /docs. */
  readonly reference: ReferencePages;
  /** Pages below /problems. */
  readonly problems: ReadonlySet<string>;
  /** Files below /contracts. */
  readonly contracts: ReadonlySet<string>;
  /** Paths of the sign-on server that a browser can open. */
  readonly signOnPaths: ReadonlySet<string>;
}

/** Where a link of a guide leads: to an address, or to a file of the repository, which is not served. */
export type Target = { readonly href: string } | { readonly file: string } | { readonly problem: string };

const nothing = (href: string): Target => ({ problem: `links to ${href}, which is not there` });

/** Resolves a link of one guide. */
export function resolveLink(href: string, guide: string, targets: LinkTargets): Target {
  if (href.startsWith(`${WRITTEN.gatewayUrl}/`)) return portalTarget(new URL(href), targets);
  if (href.startsWith(`${WRITTEN.issuer}/`))
    return targets.signOnPaths.has(new URL(href).pathname) ? { href } : nothing(href);
  if (href.startsWith("https://")) return { href };
  const [, path = "", fragment] = /^([^#]*)(?:#(.+))?$/.exec(href) ?? [];
  const [, name = path === "" ? guide : undefined] = /^([a-z0-9-]+)\.md$/.exec(path) ?? [];
  if (name === undefined) return fileTarget(path, fragment, href);
  const ids = targets.guides.get(name);
  if (ids === undefined || (fragment !== undefined && !ids.has(fragment))) return nothing(href);
  const suffix = fragment === undefined ? "" : `#${fragment}`;
  return { href: name === guide ? suffix || "#main" : `/docs/guides/${name}${suffix}` };
}

/** A page of this product; the link is to the same origin, wherever that is. */
function portalTarget({ pathname, hash, href }: URL, { guides, reference, problems, contracts }: LinkTargets): Target {
  const [, folder = "", name = ""] = /^\/([a-z]*)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const isThere =
    pathname === "/" ||
    (folder === "contracts" && contracts.has(name)) ||
    (folder === "problems" && problems.has(name)) ||
    (folder === "docs" && name === "" && hash === "") ||
    (folder === "docs" && (hash === "" ? Object.hasOwn(reference, name) : reference[name]?.has(hash) === true)) ||
    (pathname.startsWith("/docs/guides/") && guides.has(pathname.slice("/docs/guides/".length)));
  return isThere ? { href: pathname + hash } : nothing(href);
}

function fileTarget(path: string, fragment: string | undefined, href: string): Target {
  const file = join(GUIDES_FOLDER, path);
  if (file.startsWith("..") || !existsSync(file)) return nothing(href);
  if (fragment !== undefined && !readFileSync(file, "utf8").includes(`<a id="${fragment}"></a>`)) return nothing(href);
  return { file: fragment === undefined ? file : `${file}#${fragment}` };
}

interface Contract {
  readonly paths?: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId?: string; readonly tags?: readonly string[] }>>>
  >;
  readonly components?: { readonly messages?: Readonly<Record<string, unknown>> };
}

/** The fragments by which the reference's pages show each operation, event and method. */
export function referencePages(
  signOn: Contract,
  gateway: Contract,
  events: Contract,
  platform: GrpcContract,
): ReferencePages {
  const operations = ({ paths = {} }: Contract) =>
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, tags: [tag = ""] = [] }) =>
        operationId === undefined ? [] : [`#/${tag}/${operationId}`.toLowerCase().replaceAll(" ", "-")],
      ),
    );
  const messages = Object.keys(events.components?.messages ?? {}).map((name) => `#/channels/${name.toLowerCase()}`);
  return {
    "sign-on": new Set(operations(signOn)),
    gateway: new Set(operations(gateway)),
    events: new Set(messages),
    platform: new Set(methodGroups(platform).flatMap(({ entries }) => entries.map(({ anchor }) => `#${anchor}`))),
  };
}

/** Paths without parameters that answer to GET. */
export const pathsToOpen = ({ paths = {} }: Contract): ReadonlySet<string> =>
  new Set(Object.keys(paths).filter((path) => !path.includes("{") && paths[path]?.get !== undefined));
