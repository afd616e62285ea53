import { printable } from "../../../shared/display/printable.ts";
import type { SetupContext } from "./setup-context.ts";
import type { AskedKey } from "./setup-keys.ts";

/** Asks for one variable. The input of a secret is hidden. */
export async function askKey(
  { app, questions }: Pick<SetupContext, "app" | "questions">,
  { name, prompt, description, url, secret, tools, required }: AskedKey,
): Promise<void> {
  const there = app.config.hasVariable(name);
  questions.report(`\n${name}`, "bold");
  if (description !== "") questions.report(`  ${description}`);
  questions.report(
    `  ${[`for ${tools.join(", ") || "the plugin"}`, required ? "required" : "optional", ...(url === undefined ? [] : [url])].join(" · ")}`,
    "dim",
  );
  const question = `${printable(prompt)}${there ? " (set; Enter keeps it)" : " (Enter skips it)"}:`;
  const typed = secret ? await questions.secret(question) : await questions.text(question);
  if (typed !== "") await app.config.setVariable(name, typed);
}
