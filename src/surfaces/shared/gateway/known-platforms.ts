/** The chat platforms of the original, by name. */
const KNOWN: readonly (readonly [name: string, label: string])[] = [
  ["telegram", "Telegram"],
  ["discord", "Discord"],
  ["slack", "Slack"],
  ["whatsapp", "WhatsApp"],
  ["signal", "Signal"],
  ["matrix", "Matrix"],
  ["mattermost", "Mattermost"],
  ["email", "Email"],
  ["sms", "SMS"],
  ["dingtalk", "DingTalk"],
  ["feishu", "Feishu"],
  ["wecom", "WeCom"],
  ["wecom_callback", "WeCom callback"],
  ["weixin", "Weixin"],
  ["bluebubbles", "BlueBubbles"],
  ["qqbot", "QQ bot"],
  ["homeassistant", "Home Assistant"],
  ["webhook", "Webhooks"],
  ["yuanbao", "Yuanbao"],
  ["teams", "Microsoft Teams"],
];

/** Known platforms that no plugin provides and that the user did not configure. @param listed Names of the others. */
export function unlistedPlatforms(
  listed: ReadonlySet<string>,
): readonly { readonly name: string; readonly label: string; readonly lack: string }[] {
  return KNOWN.filter(([name]) => !listed.has(name)).map(([name, label]) => ({
    name,
    label,
    lack: "no installed plugin provides it",
  }));
}
