import { HttpRefusal, receiveFiles, type ReceivedFiles } from "hermes-agent/platform";
import type { SlackFile } from "./slack-types.ts";
import type { Workspace } from "./workspaces.ts";

const MOST_BYTES = 20_000_000;

/** Downloads the files of a message. */
export async function filesOf(
  files: readonly SlackFile[],
  { api }: Workspace,
  { home, baseUrl }: { readonly home: string; readonly baseUrl: string },
): Promise<ReceivedFiles> {
  const known = new Map<string, SlackFile>();
  for (const file of files) known.set(file.id, file);
  const offered = files.map(({ id, name, size, mimetype, subtype }) => ({
    id,
    name,
    size,
    type: mimetype,
    voice: subtype === "slack_audio",
  }));
  return receiveFiles(offered, {
    home,
    platform: "slack",
    maxBytes: MOST_BYTES,
    async fetch({ id }, maxBytes) {
      let file = known.get(id)!;
      if (file.file_access === "check_file_info")
        ({ file } = await api.call<{ readonly file: SlackFile }>("files.info", { file: id }, { repeatable: true }));
      const url = file.url_private_download ?? file.url_private ?? "";
      if (!ofSlack(url, baseUrl)) throw new Error("it is not on Slack's servers");
      try {
        const bytes = await api.http.download(url, { maxBytes });
        // Without the scope, Slack answers with its page for signing in.
        if (file.mimetype !== "text/html" && /^\s*<!doctype html/i.test(Buffer.from(bytes.subarray(0, 64)).toString()))
          throw new Error(NO_ACCESS);
        return bytes;
      } catch (cause) {
        throw cause instanceof HttpRefusal && [302, 401, 403].includes(cause.status)
          ? new Error(NO_ACCESS, { cause })
          : cause;
      }
    },
  });
}

const NO_ACCESS = "Slack gives no access to it; the app needs the scope files:read";

/** Whether the server may get the token. */
function ofSlack(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, origin } = new URL(url);
  return origin === new URL(baseUrl).origin || (protocol === "https:" && /(?:^|\.)slack\.com$/.test(hostname));
}
