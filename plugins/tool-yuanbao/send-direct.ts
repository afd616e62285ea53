import { ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { Service } from "./yuanbao-service.ts";
import { membersOf, withName } from "./groups.ts";
import { sendPieces, type Piece } from "./send-elements.ts";
import { chatOf, keepToOwnPlace, ownGroup, type Speaker } from "./chat-scope.ts";
import { FROM, type Line } from "./wire/line.ts";
import type { YuanbaoPorts } from "./wire/sign-token.ts";

export interface DirectInput {
  readonly group_code?: string | undefined;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly user_id?: string | undefined;
  readonly media_files?: readonly { readonly path: string; readonly is_voice?: boolean | undefined }[] | undefined;
}

interface Addressee {
  readonly user_id: string;
  readonly nickname: string;
}

/** Maximum characters of a call, and of one message of the service. */
const MAX_CHARACTERS = 10_000;
const PIECE_CHARACTERS = 4_000;

/** yb_send_dm: reads and uploads files before it sends anything, so that most failures happen first. */
export async function sendDirect(
  given: DirectInput,
  speaker: Speaker,
  service: Service,
  ports: YuanbaoPorts,
  call: ToolContext,
): Promise<JsonObject> {
  const input = checked(given, speaker);
  keepToOwnPlace(input.user_id === "" ? undefined : `direct:${input.user_id}`, speaker);
  if (speaker.whose !== undefined && input.paths.length > 0)
    throw new ToolFailure("blocked", "This tool sends files only in the owner's conversations.");
  const { readFiles } = await import("./files/read-files.ts");
  const files = await readFiles(input.paths, call);
  return service.use(async (line) => {
    const to =
      input.user_id === ""
        ? await memberNamed(input.name, input.group, line, call.signal)
        : { user_id: input.user_id, nickname: input.name };
    const pieces: Piece[] = textPieces(input.message).map((text, at, all) => ({
      elements: [{ type: "TIMTextElem", content: { text } }],
      what: all.length === 1 ? "the text" : `part ${at + 1} of the text`,
    }));
    for (const file of files) {
      const { uploadFile } = await import("./files/upload.ts");
      pieces.push({
        elements: [await uploadFile(file, line.token, ports, call.signal)],
        what: `the file ${file.name}`,
      });
    }
    const message_id = await sendPieces(
      pieces,
      { chat: `direct:${to.user_id}`, group: input.group, key: `${call.sessionId}:${call.callId}` },
      line,
      call.signal,
    );
    return { success: true, ...to, message_id, note: `Sent: ${pieces.map(({ what }) => what).join(", ")}.` };
  }, call.signal);
}

/** @throws {ToolFailure} if no member matches, or several do; then with the matches. */
export async function memberNamed(name: string, group: string, line: Line, signal: AbortSignal): Promise<Addressee> {
  const found = withName(await membersOf(group, line, signal), name).map(({ user_id, nickname }) => ({
    user_id,
    nickname,
  }));
  const exact = found.filter(({ nickname }) => nickname.toLowerCase() === name.toLowerCase());
  const only = found.length === 1 ? found[0] : exact.length === 1 ? exact[0] : undefined;
  if (only !== undefined) return only;
  if (found.length === 0)
    throw new ToolFailure(
      "not_found",
      `No member of the group ${group} has a name that contains "${name.slice(0, 60)}".`,
      {
        data: { success: false },
        hint: "yb_query_group_members lists all members.",
      },
    );
  throw new ToolFailure("bad_arguments", `Several members have a name that contains "${name.slice(0, 60)}".`, {
    data: { success: false, candidates: found },
    hint: "Pass user_id to choose one.",
    from: FROM,
  });
}

/** Parses the arguments. @throws {ToolFailure} without content or a recipient. */
export function checked(
  { group_code, name, message, user_id, media_files }: DirectInput,
  speaker: Speaker,
): {
  readonly group: string;
  readonly name: string;
  readonly message: string;
  readonly user_id: string;
  readonly paths: readonly string[];
} {
  const input = {
    group: (group_code ?? "").trim() || (ownGroup(speaker) ?? ""),
    name: (name ?? "").trim(),
    message: (message ?? "").trim(),
    user_id: (user_id ?? "").trim(),
    paths: (media_files ?? []).map(({ path }) => path),
  };
  const wrong = (words: string, hint?: string): ToolFailure =>
    new ToolFailure("bad_arguments", words, { hint, data: { success: false } });
  if (input.message === "" && input.paths.length === 0) throw wrong("Nothing to send: pass message or media_files.");
  if (/^\s*MEDIA:\s*\S/m.test(input.message))
    throw wrong("message must be text only.", "Pass files in media_files, without MEDIA:.");
  if (input.message.length > MAX_CHARACTERS)
    throw wrong(`message has ${input.message.length} characters; the maximum is ${MAX_CHARACTERS}.`);
  if (input.user_id === "" && input.group === "") throw wrong("group_code is required without user_id.");
  if (input.user_id === "" && input.name === "") throw wrong("name is required without user_id.");
  if (input.user_id !== "") chatOf(`direct:${input.user_id}`);
  return input;
}

/** Splits at a line end or a space if there is one in the second half. */
function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > PIECE_CHARACTERS) {
    const room = rest.slice(0, PIECE_CHARACTERS);
    const at =
      [room.lastIndexOf("\n"), room.lastIndexOf(" ")].find((one) => one > PIECE_CHARACTERS / 2) ??
      (/[\uD800-\uDBFF]$/.test(room) ? PIECE_CHARACTERS - 1 : PIECE_CHARACTERS);
    pieces.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? pieces : [...pieces, rest];
}
