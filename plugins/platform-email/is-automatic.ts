import type { ParsedMail } from "./mail-packages.ts";

const MACHINES = /^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?)(?:[+._=-].*)?$/;

/** Why a message must get no answer, which could begin a loop; `undefined`: a user wrote it. */
export function whyAutomatic(
  { headers }: Pick<ParsedMail, "headers">,
  sender: string,
  own: string,
): string | undefined {
  const value = (name: string): string | undefined =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  if (sender === own) return "it is from the agent's own address";
  if (MACHINES.test(sender.split("@")[0]!)) return "its sender is a program";
  if ((value("auto-submitted") ?? "no").split(";")[0]!.trim() !== "no") return "it is an automatic answer";
  if (/^(?:bulk|list|junk|auto_reply)$/.test(value("precedence") ?? "")) return "it is a bulk message";
  if (value("list-id") !== undefined || value("list-unsubscribe") !== undefined) return "it is from a mailing list";
  if (value("x-autoreply") !== undefined || value("x-autorespond") !== undefined) return "it is an automatic answer";
  if (value("return-path") === "<>") return "it is a delivery report";
  return undefined;
}
