import type { Call } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";

/** The programs of GitHub and GitLab. */
export function gh(call: Call): Flow {
  const [area = "", verb = ""] = parseOptions(call.args, { short: "RtbBHFfqX" }).operands;
  const show = `${call.program} ${area} ${verb}`;
  if ((area === "gist" && verb === "create") || (area === "release" && verb === "upload"))
    for (const file of parseOptions(call.args, { short: "dfRt" }).operands.slice(2)) call.by.read(file, call);
  if (call.program === "hub" && area === "delete") call.by.harm("infrastructure", show);
  if (
    area === "auth" &&
    (verb === "token" || (verb === "status" && call.args.some((arg) => arg === "-t" || arg === "--show-token")))
  )
    call.by.harm("secret-read", show);
  else if (
    (/^delete\b/.test(verb) && !/^(alias|cache|label|extension|config)$/.test(area)) ||
    verb === "archive" ||
    (area === "repo" && verb === "rename")
  )
    call.by.harm("infrastructure", show);
  else if (
    (area === "repo" && verb === "edit" && call.args.some((arg) => /^--visibility\b/.test(arg))) ||
    (area === "auth" && verb === "refresh" && call.args.some((arg) => /delete|admin/.test(arg)))
  )
    call.by.harm("privilege-config", show);
  else if (area === "secret" && verb === "set")
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
  else if (area === "api") {
    const method = parseOptions(call.args, {
      short: "XfFHqtp",
      long: ["method", "field", "raw-field", "header", "jq", "template", "input"],
    }).value("X", "method");
    if (method?.toUpperCase() === "DELETE") call.by.harm("infrastructure", `${show} -X DELETE`);
  } else if (area === "alias" && verb === "set" && call.args.some((arg) => arg.startsWith("!") || arg === "--shell"))
    call.by.harm("option-runs", show);
  else if (area === "extension" && verb === "install") call.by.harm("remote-run", show);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 5)] });
  return UNSEEN;
}
