import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Part } from "../../../contract/conversation/part.ts";
import { coreCommands, pluginCommands } from "../../shared/commands/core-commands.ts";
import type { PageChat } from "../chats/page-chat.ts";
import type { PageChats } from "../chats/page-chats.ts";
import { MAX_MESSAGE_BYTES, readAttachments } from "../chats/read-attachments.ts";
import { numberIn, route, textIn, type Route } from "../route.ts";

const MAX_TEXT_CHARS = 1_000_000;
const MOST_COMPLETIONS = 50;

/** Chats in the page. A chat has the id of its session; its facts come with the events of the session. */
export function chatRoutes(chats: PageChats): readonly Route[] {
  const opened = (id = ""): Promise<PageChat> => chats.open({ sessionId: id });
  return [
    route("POST /api/chats", async ({ body }) => ({ id: (await chats.open({ cwd: folderIn(body) })).id })),
    route("GET /api/chats/:id", async ({ params: [id], query }) => {
      const chat = await opened(id);
      return { state: chat.state, partial: chat.partial, ...chat.items(numberIn(query, "limit", 300, 100_000)) };
    }),
    route("GET /api/chats/:id/calls/:call", async ({ params: [id, call = ""] }) => (await opened(id)).details(call)),
    {
      ...route("POST /api/chats/:id/messages", async ({ app, params: [id], body }) => {
        const message = {
          inputId: inputIdIn(body),
          text: messageTextIn(body),
          mode: body["mode"] === "steer" ? "steer" : "queue",
          again: body["again"] === true,
        } as const;
        const chat = await opened(id);
        return chat.take({ ...message, attachments: await readAttachments(body["attachments"], app.home) });
      }),
      maxBodyBytes: MAX_MESSAGE_BYTES,
    },
    route("POST /api/chats/:id/stop", async ({ params: [id] }) => ({
      withdrawn: (await (await opened(id)).stop()).map(editable),
    })),
    route("POST /api/chats/:id/continue", async ({ params: [id] }) => (await opened(id)).carryOn()),
    route("DELETE /api/chats/:id/queue/:input", async ({ params: [id, input = ""] }) =>
      editable(await (await opened(id)).withdraw(input)),
    ),
    route("POST /api/chats/:id/questions/:question", async ({ params: [id, question = ""], body }) =>
      (await opened(id)).answer(question, body),
    ),
    route("POST /api/chats/:id/branch", async ({ app, params: [id = ""], body }) => {
      const { seq } = body;
      if (seq !== undefined && (typeof seq !== "number" || !Number.isInteger(seq) || seq < 1))
        throw new UserError('The field "seq" must be the number of a fact.');
      return { id: (await app.sessions.branch((await app.sessions.find(id)).id, seq)).id };
    }),
    route("GET /api/chats/:id/commands", async ({ app, params: [id] }) => {
      const host = (await opened(id)).host({});
      const skills = (await app.skills.all()).filter(
        ({ hidden, problem }) => hidden === undefined && problem === undefined,
      );
      return [
        ...[...coreCommands(host), ...pluginCommands(host)].map(({ name, description, argsHint = "", complete }) => ({
          name,
          description,
          argsHint,
          completes: complete !== undefined,
        })),
        ...skills.map(({ name, description }) => ({ name, description, argsHint: "", completes: false })),
      ];
    }),
    route("GET /api/chats/:id/complete", async ({ params: [id], query }) => {
      const host = (await opened(id)).host({});
      const [, name = "", args = ""] = /^\/(\S+)\s([^]*)$/.exec(query.get("line") ?? "") ?? [];
      const core = coreCommands(host).find((command) => command.name === name || command.aliases.includes(name));
      const found = core !== undefined ? core.complete?.(args, host) : host.app.commands.get(name)?.complete?.(args);
      return ((await found) ?? [])
        .map((one) => (typeof one === "string" ? one : one.value))
        .filter((value) => value.startsWith(args))
        .slice(0, MOST_COMPLETIONS);
    }),
  ];
}

/** The folder of a new chat; absent: that of the process. @throws {UserError} if it is not an absolute path of a folder. */
function folderIn(body: JsonObject): string | undefined {
  if (body["cwd"] === undefined) return undefined;
  const path = textIn(body, "cwd")
    .trim()
    .replace(/^~(?=\/|$)/, () => homedir());
  if (isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(path);
  throw new UserError(`"${path}" is not a folder of this machine.`, {
    hint: "Enter the absolute path of an existing folder; ~ is your home.",
  });
}

function inputIdIn(body: JsonObject): string {
  const id = textIn(body, "inputId");
  if (!/^[\w-]{8,64}$/.test(id)) throw new UserError('The field "inputId" must have 8 to 64 letters, digits, - or _.');
  return `page-${id}`;
}

function messageTextIn(body: JsonObject): string {
  const text = textIn(body, "text");
  if (text.length <= MAX_TEXT_CHARS) return text;
  throw new UserError(`The message has more than ${MAX_TEXT_CHARS} characters.`, { hint: "Attach it as a file." });
}

/** A message as the editor takes it back. */
function editable(parts: readonly Part[]): object {
  return {
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    images: parts.flatMap((part) => (part.type === "image" ? [{ mediaType: part.mediaType, data: part.data }] : [])),
  };
}
