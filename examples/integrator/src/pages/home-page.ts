import type { Delivery } from "../event-log.ts";
import { html } from "../html.ts";
import type { PlatformOverview } from "../platform-overview.ts";
import type { Settings } from "../settings.ts";
import type { SignedIn } from "../sign-on.ts";
import { eventsSection } from "./events-section.ts";
import { gatewaySection } from "./gateway-section.ts";
import { layout } from "./layout.ts";
import { signInSection } from "./sign-in-section.ts";

export interface HomeContent {
  readonly settings: Settings;
  readonly person: SignedIn | undefined;
  readonly platform: PlatformOverview;
  readonly deliveries: readonly Delivery[];
}

/** The one page: sign-in, received events, the gateway's answers. */
export function homePage({ settings, person, platform, deliveries }: HomeContent): string {
  const main = html`<h1 class="visually-hidden">Marigold, a sample integrator</h1>
<nav class="jumps" aria-label="On this page"><a href="#sign-in">Sign in</a> <a href="#events">Events</a> <a href="#gateway">The platform</a></nav>
<div class="desk">
${signInSection(settings, person)}
${eventsSection(settings, deliveries)}
${gatewaySection(platform)}
</div>`;
  return layout("Marigold · a sample integrator", main, { live: true });
}
