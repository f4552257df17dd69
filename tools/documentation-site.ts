import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { publishedContracts } from "../src/portal/contracts/published-contracts.ts";
import { documentationAssets } from "../src/portal/documentation/documentation-assets.ts";
import { documentationIndexPage } from "../src/portal/documentation/documentation-index-page.ts";
import { DOCUMENTED, documentationPage } from "../src/portal/documentation/documentation-page.ts";
import { DRAWN_PAGE_POLICY } from "../src/portal/documentation/drawn-page-headers.ts";
import { guidePage, guideStylesheet } from "../src/portal/guides/guide-page.ts";
import { publishedGuides } from "../src/portal/guides/published-guides.ts";
import { assets } from "../src/runtime/pages/assets.ts";

/**
 * Writes the documentation as a static site: the guides and pages that the product serves, with the contracts to download. All links are
 * relative, but for those to pages about problems, which only the product has; so any web server may serve it below any path. The contracts name the documented installation: from the arguments,
 * otherwise from the environment as the program reads it, otherwise a fictitious one.
 * Usage: node tools/documentation-site.ts [folder [issuer [gateway-url]]], by default `site`.
 */

const [folder = "site", ...addresses] = process.argv.slice(2);
const [givenIssuer, givenGateway] = addresses.map((address) => (address === "" ? undefined : new URL(address).origin));
const target = resolve(folder);
const issuer = givenIssuer ?? process.env.GATEHOUSE_ISSUER ?? "https://gatehouse.example";
const gatewayUrl = givenGateway ?? process.env.GATEHOUSE_GATEWAY_URL ?? issuer;

/**
 * A page of the product for a folder: with relative links, and the policy in the page, since no server of ours sends
 * headers.
 */
const forFolder = (page: string): string =>
  page
    .replaceAll(/href="\/docs\/guides\/([a-z0-9-]+\.md)"/g, 'href="guide-$1"')
    .replaceAll(/href="\/docs\/guides\/([a-z0-9-]+)/g, 'href="guide-$1.html')
    .replaceAll('href="/problems/', `href="${gatewayUrl}/problems/`)
    .replaceAll(/((?:href|src|data-contract|data-renderer)=")\/docs\/([a-z-]+)/g, "$1$2.html")
    .replaceAll(/href="\/(docs)?"/g, 'href="index.html"')
    .replaceAll(/((?:href|src|data-contract|data-renderer)=")\/(?=assets|contracts)/g, "$1")
    .replace(
      '<meta charset="utf-8">',
      `<meta charset="utf-8">\n<meta http-equiv="content-security-policy" content="${DRAWN_PAGE_POLICY.join("; ")}">`,
    );

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "assets"), { recursive: true });
for (const { fileName, body } of [...Object.values(assets), ...Object.values(documentationAssets), guideStylesheet])
  writeFileSync(join(target, "assets", fileName), body);
mkdirSync(join(target, "contracts"));
for (const [file, { body }] of publishedContracts({ issuer, gatewayUrl }))
  writeFileSync(join(target, "contracts", file), body);
writeFileSync(join(target, "index.html"), forFolder(documentationIndexPage()));
for (const documented of DOCUMENTED)
  writeFileSync(
    join(target, `${documented.page}.html`),
    forFolder(documentationPage(documented, { issuer, gatewayUrl })),
  );
const guides = [...publishedGuides({ issuer, gatewayUrl }).values()];
for (const guide of guides) {
  writeFileSync(join(target, `guide-${guide.name}.html`), forFolder(guidePage(guide, guides)));
  writeFileSync(join(target, `guide-${guide.name}.md`), guide.markdown);
}
console.log(`The documentation of ${issuer} is in ${target}. Any web server can serve it, below any path.`);
