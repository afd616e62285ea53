import { platformContract, waitFor, type PlayedPlatform } from "hermes-agent/testing";
import { startHomeAssistant } from "../../test/servers/home-assistant.ts";
import { homeBench } from "./test/home-bench.ts";

platformContract("homeassistant", play, { folder: import.meta.dirname });

async function play(): Promise<PlayedPlatform> {
  const house = await startHomeAssistant({ notify: ["mobile_app_phone"] });
  const bench = homeBench(house.url);
  const wrong = homeBench(house.url, { env: { HASS_TOKEN: "a-wrong-token" } });
  let cut = false;
  return {
    platform: bench.platform,
    chat: "ha_events",
    otherChat: "notify.mobile_app_phone",
    refusing: "notify.nobody",
    async write(chat, user, text) {
      // No one receives an event that is fired while no client is subscribed.
      if (cut) await waitFor(() => house.subscriptions().length > 0, { what: "a subscription" });
      cut = false;
      house.fire({ event_type: "hermes_message", data: { text, chat }, user });
    },
    async arrived() {
      const { to, message } = await house.notified();
      return { chat_id: to === "persistent_notification" ? "ha_events" : to, text: message };
    },
    async cut() {
      house.cut();
      cut = true;
    },
    async redeliver() {
      house.repeat();
    },
    breakSend: (how) => house.misbehave(how),
    rejected: { platform: wrong.platform, secret: "a-wrong-token" },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}
