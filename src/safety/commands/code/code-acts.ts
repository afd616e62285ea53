import type { Call } from "../evaluate/call.ts";
import type { Argument } from "./code-arguments.ts";
import type { Act } from "./code-calls.ts";
import type { Language } from "./code-tokens.ts";
import { UNSEEN } from "../risk/effect.ts";
import { isKnown, UNKNOWN } from "../parse/marks.ts";
import { judgeSql } from "../sql/sql.ts";

/** The context of a call: its program's names, its language, and how to judge a program text inside it. */
export interface Around {
  readonly names: ReadonlySet<string>;
  readonly language: Language;
  readonly judge: (source: string) => void;
}

/** The effects of one call with its arguments. */
export function perform(act: Act, name: string, args: readonly Argument[], around: Around, call: Call): void {
  const { names, language } = around;
  const first = args[0];
  const text = first?.text;
  const unclear = (): void => call.by.harm("code-runs", `${call.program}: ${name}(…) with arguments that are computed`);
  switch (act) {
    case "shell":
      if (first?.items && language === "php") for (const item of first.items) call.by.script(item, call);
      else if (first?.items) call.by.run(first.items, call);
      else if (text === undefined) unclear();
      else if (
        args.length > 1 &&
        args.every((arg) => arg.text !== undefined) &&
        language !== "javascript" &&
        language !== "python"
      )
        call.by.run(
          args.map((arg) => arg.text!),
          call,
        );
      else call.by.script(text, call);
      return;
    case "argv":
      if (first?.items) call.by.run(first.items, call);
      else if (text !== undefined) call.by.script(text, call);
      else unclear();
      return;
    case "words": {
      if (first?.items) {
        call.by.run(first.items, call);
        return;
      }
      if (text === undefined) {
        unclear();
        return;
      }
      const rest = args.slice(1).flatMap((arg) => arg.items ?? (arg.text === undefined ? [] : [arg.text]));
      const opaque = args.slice(1, 2).some((arg) => arg.items === undefined && arg.text === undefined && !arg.object);
      if (opaque) unclear();
      // `execvp("rm", ["rm", "-rf"])` repeats the name.
      const words =
        name.startsWith("exec") && !name.startsWith("execFile") && rest[0] !== undefined && base(rest[0]) === base(text)
          ? rest.slice(1)
          : rest;
      if (names.has("shell") && args.some((arg) => arg.object)) call.by.script([text, ...words].join(" "), call);
      else call.by.run([text, ...words], call);
      return;
    }
    case "delete-tree":
      // R and Julia know what `~` is.
      if (language === "other" && text !== undefined && /^~(?:$|\/)/.test(text))
        call.by.remove(call.by.home + text.slice(1), call, { recursive: true, by: `${call.program} ${name}` });
      call.by.remove(text ?? first?.items?.[0] ?? UNKNOWN, call, {
        recursive:
          name === "rmSync" || name === "rm" || name === "unlink"
            ? names.has("recursive") || language === "ruby"
            : true,
        by: `${call.program} ${name}`,
      });
      for (const item of first?.items?.slice(1) ?? [])
        call.by.remove(item, call, { recursive: true, by: `${call.program} ${name}` });
      return;
    case "delete":
      // R: `unlink("x", recursive = TRUE)`.
      if (language === "other" && names.has("recursive")) perform("delete-tree", name, args, around, call);
      else if (text !== undefined) call.by.remove(text, call, { recursive: false, by: `${call.program} ${name}` });
      else if (names.has("walk") || names.has("glob") || names.has("rglob") || names.has("find"))
        call.by.harm("recursive-delete", `${call.program}: ${name} of many files`);
      else if (call.state.eachFile !== undefined) call.by.harm(call.state.eachFile, `${call.program}: ${name}`);
      return;
    case "open": {
      const mode =
        args.slice(1).find((arg) => arg.text !== undefined && /^[<>+rwaxbt|-]+$/.test(arg.text.trim()))?.text ?? "r";
      if (language === "perl" || language === "ruby") {
        const piped = args.map((arg) => arg.text ?? "").find((item) => /^\s*\|/.test(item) || /\|\s*$/.test(item));
        if (piped !== undefined) {
          call.by.script(
            piped.replace(/^\s*\|-?|-?\|\s*$/g, "") ||
              args
                .slice(2)
                .map((arg) => arg.text ?? "")
                .join(" "),
            call,
            { stdin: UNSEEN },
          );
          return;
        }
        if (language === "perl") {
          const file = args
            .slice(1)
            .map((arg) => arg.text)
            .filter((item) => item !== undefined && !/^[+<>]+$/.test(item))
            .at(-1);
          if (file === undefined) return;
          const target = file.replace(/^\s*[+<>]+\s*/, "");
          if (/>/.test(mode) || /^\s*\+?>/.test(file)) call.by.write(target, call);
          else call.by.read(target, call);
          return;
        }
      }
      if (text === undefined) return;
      if (
        /[wax+]/.test(mode) ||
        args.some(({ raw }) => raw !== undefined && /O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(raw))
      )
        call.by.write(text, call);
      else call.by.read(text, call);
      return;
    }
    case "write":
      if (text !== undefined) call.by.write(text, call);
      return;
    case "move":
      if (text !== undefined) call.by.read(text, call, { shown: false });
      if (args[1]?.text !== undefined) call.by.write(args[1].text, call);
      if (text !== undefined && args[1]?.text !== undefined && /^(?:symlink|ln_s)/.test(name))
        call.by.link(text, args[1].text, call);
      return;
    case "read":
      if (text !== undefined && (text.includes("/") || text.startsWith("."))) {
        if (names.has("write_text") || names.has("write_bytes") || names.has("touch")) call.by.write(text, call);
        else if (names.has("unlink") || names.has("rmdir")) call.by.remove(text, call, { recursive: false });
        call.by.read(text, call);
      }
      return;
    case "mode":
      for (const arg of args)
        if (arg.raw !== undefined && /^0?o?[0-7]{3,4}$/.test(arg.raw)) {
          const bits = Number.parseInt(arg.raw.replace("o", ""), 8);
          for (const path of call.by.paths(args.find((other) => other.text !== undefined)?.text ?? UNKNOWN, call.state))
            call.by.add({
              kind: "mode",
              path,
              recursive: false,
              mode: arg.raw,
              worldWritable: (bits & 2) !== 0,
              setId: (bits & 0o6000) !== 0,
            });
        }
      return;
    case "dynamic":
      // A literal program is judged, and the call still needs approval.
      if (/^(Function|load|loadstring|instance_eval|class_eval|runIn\w+Context|compile|create_function)$/.test(name)) {
        const body = name === "Function" || name === "create_function" ? args.at(-1)?.text : text;
        if (body !== undefined && isKnown(body)) around.judge(body);
      }
      if ((name === "eval" || name === "exec") && text !== undefined && isKnown(text)) around.judge(text);
      else if (
        name === "getattr" &&
        args[1]?.text !== undefined &&
        !/^(system|popen|rmtree|exec|spawn|call|run|Popen|remove|unlink)/.test(args[1].text) &&
        !names.has("os") &&
        !names.has("subprocess") &&
        !names.has("shutil")
      )
        return;
      else if (
        (name === "__import__" || name === "import_module") &&
        text !== undefined &&
        !["os", "subprocess", "shutil", "pty", "ctypes"].includes(text)
      )
        return;
      else call.by.harm("code-runs", `${call.program}: ${name}(…) runs code that it creates at run time`);
      return;
    case "kill": {
      const target = args.map((arg) => arg.raw ?? arg.text ?? "").join(",");
      if (/(^|[,>])-1(,|$)/.test(target))
        call.by.add({ kind: "signal", target: "-1", everything: true, force: true, byName: false });
      else call.by.add({ kind: "signal", target, everything: false, force: /9|KILL/.test(target), byName: false });
      return;
    }
    case "sql":
      if (text !== undefined && isKnown(text)) judgeSql(text, call);
      return;
    case "fork":
      return;
    case "network":
      if (text !== undefined) call.by.network(text);
      else call.by.network("");
  }
}

function base(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
