/** One parsed line of the protocol. */
export interface IrcLine {
  readonly tags: { readonly [name: string]: string };
  /** The sender; a server has no user. */
  readonly source: { readonly nick: string; readonly user?: string; readonly host?: string } | undefined;
  /** In upper case, or three digits. */
  readonly command: string;
  readonly params: readonly string[];
}

/** `undefined`: not a line of the protocol. */
export function parseIrcLine(text: string): IrcLine | undefined {
  const parts = /^(?:@(\S+) +)?(?::(\S+) +)?([A-Za-z]+|\d{3})(?: +(.*))?$/.exec(text.trimStart());
  if (parts === null) return undefined;
  const [, tags = "", source = "", command = "", rest = ""] = parts;
  return { tags: tagsOf(tags), source: sourceOf(source), command: command.toUpperCase(), params: paramsOf(rest) };
}

/** Case folding of the protocol's name comparison. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll("[", "{").replaceAll("]", "}").replaceAll("\\", "|").replaceAll("~", "^");
}

function tagsOf(text: string): IrcLine["tags"] {
  const pairs = text
    .split(";")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [
        name,
        value
          .join("=")
          .replaceAll(/\\(.?)/g, (_, sign: string) => ({ ":": ";", s: " ", r: "\r", n: "\n" })[sign] ?? sign),
      ] as const;
    });
  return Object.fromEntries(pairs);
}

function sourceOf(text: string): IrcLine["source"] {
  const parts = /^([^!@]+)(?:!([^@]*))?(?:@(.*))?$/.exec(text);
  if (parts === null) return undefined;
  const [, nick = "", user, host] = parts;
  return { nick, user, host };
}

function paramsOf(text: string): readonly string[] {
  const at = text.startsWith(":") ? 0 : text.indexOf(" :");
  if (at < 0) return text.split(/ +/).filter((word) => word !== "");
  const last = text.slice(at === 0 ? 1 : at + 2);
  return [
    ...text
      .slice(0, at)
      .split(/ +/)
      .filter((word) => word !== ""),
    last,
  ];
}
