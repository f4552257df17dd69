import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publishedContracts } from "../src/portal/contracts/published-contracts.ts";
import { documentationIndexPage } from "../src/portal/documentation/documentation-index-page.ts";
import { documentationPage } from "../src/portal/documentation/documentation-page.ts";
import { documentationStylesheet } from "../src/portal/frame/documentation-frame.ts";
import { DOCUMENTED } from "../src/portal/frame/documented.ts";
import { guidePage, guideStylesheet } from "../src/portal/guides/guide-page.ts";
import { guides, publishedGuide } from "../src/portal/guides/published-guides.ts";
import { overview } from "../src/portal/overview/overview.ts";
import { makeFinder } from "../src/portal/search/find.ts";
import { searchPage } from "../src/portal/search/search-page.ts";
import { assets } from "../src/runtime/pages/assets.ts";
import { pageHeaders } from "../src/runtime/pages/page-headers.ts";

/**
 * Writes the documentation as a static site: the guides and pages that the product serves, with the contracts to
 * download. All links are relative, except those to pages about problems, which only the product has; so any web
 * server may serve it below any path. The search needs a server of ours, so its place has a link to a page that
 * lists everything. The contracts name the documented installation: from the arguments, otherwise from the environment
 * as the program reads it, otherwise a fictitious one.
 * Usage: node tools/documentation-site.ts [folder [issuer [gateway-url]]], by default `site`.
 */

const {
  positionals: [folder = "site", ...addresses],
} = parseArgs({ allowPositionals: true });
const [givenIssuer, givenGateway] = addresses.map((address) => (address === "" ? undefined : new URL(address).origin));
const target = resolve(folder);
const issuer = givenIssuer ?? process.env.GATEHOUSE_ISSUER ?? "https://gatehouse.example";
const gatewayUrl = givenGateway ?? process.env.GATEHOUSE_GATEWAY_URL ?? issuer;

/** As far as a page itself can say it: browsers ignore `frame-ancestors` there. */
const POLICY = pageHeaders()["content-security-policy"].replace("; frame-ancestors 'none'", "");

/**
 * A page of the product for a folder: with relative links, and the policy in the page, since no server of ours sends
 * headers. Problem pages are at the installation.
 */
const forFolder = (page: string): string =>
  page
    .replace(/<form class="search".*?<\/form>/s, '<a href="search.html">Everything, on one page</a>')
    // A choice of language stays on its page, since an address with a query is answered like one without it.
    .replace(/<button class="keep">.*?<\/button>/, "")
    .replaceAll(/href="\/docs\/guides\/([a-z0-9-]+\.md)"/g, 'href="guide-$1"')
    .replaceAll(/href="\/docs\/guides\/([a-z0-9-]+)/g, 'href="guide-$1.html')
    .replaceAll(/((?:href|src)=")\/docs\/([a-z-]+)/g, "$1$2.html")
    .replaceAll(/href="\/(docs)?"/g, 'href="index.html"')
    .replaceAll(/((?:href|src)=")\/(?=assets|contracts|llms)/g, "$1")
    .replaceAll(/(href=")(?=\/problems["/])/g, `$1${gatewayUrl}`)
    .replace(
      '<meta charset="utf-8">',
      `<meta charset="utf-8">\n<meta http-equiv="content-security-policy" content="${POLICY}">`,
    );

/** Written first: a site without it is none of this program's, whatever its pages are called. */
const MARK = "contracts";
/** What this program writes into its folder. */
const OURS = /^(?:assets|contracts|llms\.txt|[a-z0-9-]+\.(?:html|md))$/;

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

// The folder is removed and made again: it must be nobody else's.
if (existsSync(target)) {
  if (!statSync(target).isDirectory()) refuse(`${target} is no folder.`);
  const names = readdirSync(target);
  const foreign = names.includes(MARK) ? names.find((name) => !OURS.test(name)) : names[0];
  if (foreign !== undefined)
    refuse(
      `${target} has ${foreign}, which is none of the documentation's, and would be removed. Name a folder that is empty, or new.`,
    );
}
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, MARK), { recursive: true });
mkdirSync(join(target, "assets"));
for (const { fileName, body } of [...Object.values(assets), documentationStylesheet, guideStylesheet])
  writeFileSync(join(target, "assets", fileName), body);
for (const [file, { body }] of publishedContracts({ issuer, gatewayUrl }))
  writeFileSync(join(target, MARK, file), body);
writeFileSync(join(target, "llms.txt"), overview({ issuer, gatewayUrl }));
writeFileSync(join(target, "index.html"), forFolder(documentationIndexPage()));
writeFileSync(join(target, "search.html"), forFolder(searchPage("", makeFinder()(""))));
for (const documented of DOCUMENTED)
  writeFileSync(
    join(target, `${documented.page}.html`),
    forFolder(documentationPage(documented, { issuer, gatewayUrl })),
  );
for (const guide of guides().map((one) => publishedGuide(one, { issuer, gatewayUrl }))) {
  writeFileSync(join(target, `guide-${guide.name}.html`), forFolder(guidePage(guide)));
  writeFileSync(join(target, `guide-${guide.name}.md`), guide.markdown);
}
console.log(`The documentation of ${issuer} is in ${target}. Any web server can serve it, below any path.`);
