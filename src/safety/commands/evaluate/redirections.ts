import type { Redirection } from "unbash";
import { type Flow, isBlank, literal, NOTHING } from "../risk/effect.ts";
import type { ShellState } from "../parse/state.ts";
import type { Walker } from "./walker.ts";

/** Opens the redirections in their order and runs `body` with the input they give. */
export function redirected(
  redirects: readonly Redirection[],
  state: ShellState,
  stdin: Flow,
  body: (stdin: Flow) => Flow,
  walk: Walker,
): Flow {
  if (redirects.length === 0) return body(stdin);
  let input = stdin;
  const outputs: { readonly target: string; readonly appends: boolean }[] = [];
  let output = false;
  for (const redirect of redirects) {
    const fd = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;
    if (redirect.type === "HereDoc") {
      const text =
        redirect.delimiter?.quoted || !redirect.body.parts
          ? redirect.body.text
          : walk.parts(redirect.body.parts, state);
      const given = literal(redirect.operator === "<<-" ? text.replace(/^\t+/gm, "") : text);
      if (fd === undefined || fd === 0) input = given;
      else opened(fd, given, state);
      continue;
    }
    const target = redirect.target ? walk.text(redirect.target, state) : "";
    if (redirect.type === "HereString") {
      if (fd === undefined || fd === 0) input = literal(`${target}\n`);
      else opened(fd, literal(`${target}\n`), state);
      continue;
    }
    const duplicate = redirect.operator.endsWith("&") && /^(\d+-?|-)$/.test(target);
    if (duplicate) {
      if (redirect.operator === "<&" && (fd === undefined || fd === 0))
        input = state.files.get(`/dev/fd/${target.replace(/-$/, "")}`) ?? input;
      continue;
    }
    if (/^\/dev\/(tcp|udp)\//.test(target)) {
      walk.harm("reverse-shell", `connects a shell to ${target}`);
      walk.network(target, true);
      input = { text: undefined, remote: true, from: "pipe" };
      continue;
    }
    if (redirect.operator === "<" || redirect.operator === "<&") {
      for (const path of walk.paths(target, state)) {
        const known = state.files.get(path);
        walk.add({ kind: "read", path, shown: true });
        const given: Flow = known ?? { text: undefined, blank: isBlank(path), from: "file" };
        if (fd === undefined || fd === 0) input = given;
        else opened(fd, given, state);
      }
      continue;
    }
    const appends = redirect.operator.includes(">>");
    if (fd === undefined || fd === 1 || redirect.operator.startsWith("&")) {
      output = true;
      outputs.push({ target, appends });
    }
    walk.writeIn(target, state, appends ? "append" : "create");
  }
  const flow = body(input);
  for (const { target, appends } of outputs)
    for (const path of walk.paths(target, state)) {
      if (!appends && (flow.blank || flow.text !== undefined)) state.made.add(path);
      else if (!appends) state.made.delete(path);
      state.files.set(path, flow);
      walk.feed(path, flow, state);
    }
  return output ? NOTHING : flow;
}

/** The file behind a descriptor that a command may read as a path. */
function opened(fd: number, flow: Flow, state: ShellState): void {
  for (const place of [`/dev/fd/${fd}`, `/proc/self/fd/${fd}`]) state.files.set(place, flow);
}
