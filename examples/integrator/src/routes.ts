import { leadsToGateway } from "gatehouse-sdk";
import { cookieJar } from "./cookies.ts";
import { EventLog } from "./event-log.ts";
import { gateway } from "./gateway.ts";
import { currentStatePage } from "./pages/current-state-page.ts";
import { deliveryLine, deliveryView, selfLink } from "./pages/events-section.ts";
import { homePage } from "./pages/home-page.ts";
import { messagePage } from "./pages/message-page.ts";
import { readPlatform } from "./platform-overview.ts";
import { asset, json, page, text } from "./replies.ts";
import type { Route } from "./route.ts";
import { Sessions } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

/** All routes of this program. */
export function routes(settings: Settings): readonly Route[] {
  const api = gateway(settings);
  const log = new EventLog(settings.eventsFile);
  const receive = webhookReceiver(settings, log);
  const cookies = cookieJar(settings.sampleUrl);
  const sessions = new Sessions();

  return [
    {
      method: "GET",
      path: "/",
      async reply({ request }) {
        const person = sessions.find(cookies.read(request, "session"));
        return page(homePage({ settings, person, platform: await readPlatform(api), deliveries: log.list() }));
      },
    },
    ...signInRoutes(settings, cookies, sessions),
    {
      method: "POST",
      path: new URL(settings.endpointUrl).pathname,
      async reply({ request }) {
        const { status } = await receive(request);
        return { status };
      },
    },
    {
      method: "GET",
      path: "/events.json",
      reply: ({ query }) => {
        const deliveries = log.list(Number(query.get("after")) || 0);
        // The page's script inserts `markup`, so that events are turned into HTML, and escaped, in one place only.
        return json(deliveries.map((delivery) => ({ ...delivery, markup: deliveryView(settings, delivery).markup })));
      },
    },
    {
      method: "GET",
      path: "/events.txt",
      reply: () => text(log.list().map(deliveryLine)),
    },
    {
      method: "GET",
      path: /^\/events\/(\d{1,9})\/current$/,
      async reply({ parameter }) {
        const delivery = log.find(Number(parameter));
        const link = delivery?.verified ? selfLink(delivery.event.data) : undefined;
        if (!delivery?.verified || !leadsToGateway(settings.gatewayUrl, link)) {
          return page(
            messagePage("No such event", "It is too old, was refused, or has no link into the gateway."),
            404,
          );
        }
        return page(currentStatePage(delivery, (await api.follow(link)).answer));
      },
    },
    { method: "GET", path: "/style.css", reply: asset("style.css", "text/css; charset=utf-8") },
    { method: "GET", path: "/live.js", reply: asset("live.js", "text/javascript; charset=utf-8") },
    { method: "GET", path: "/icon.svg", reply: asset("icon.svg", "image/svg+xml") },
  ];
}
