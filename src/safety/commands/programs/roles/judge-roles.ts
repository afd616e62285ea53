import type { Call } from "../../evaluate/call.ts";
import { hasMark, isKnown } from "../../parse/marks.ts";
import { type OptionSpec, parseOptions } from "../../parse/options.ts";
import { UNSEEN } from "../../risk/effect.ts";
import { fork } from "../../parse/state.ts";
import { isAddress } from "./host-words.ts";
import { isUsualProgram } from "./usual-programs.ts";
import { ROLE_NAMES, type RoleName, type RoleRow, type Roles } from "./role.ts";
import { BUILD_TOOLS } from "./build-tools.ts";
import { DATA_CLIENTS } from "./data-clients.ts";
import { FILE_TOOLS } from "./file-tools.ts";
import { MANUALS_BUILD } from "./manuals-build.ts";
import { MANUALS_FILES } from "./manuals-files.ts";
import { MANUALS_MACHINE } from "./manuals-machine.ts";
import { MANUALS_NETWORK } from "./manuals-network.ts";
import { MANUALS_RARE } from "./manuals-rare.ts";
import { MANUALS_SYSTEM } from "./manuals-system.ts";
import { MANUALS_TEXTS } from "./manuals-texts.ts";
import { MANUALS_VERBS } from "./manuals-verbs.ts";
import { MEDIA_TOOLS } from "./media-tools.ts";
import { NETWORK_TOOLS } from "./network-tools.ts";
import { SYSTEM_TOOLS } from "./system-tools.ts";

export const ROLE_TABLES: readonly (readonly RoleRow[])[] = [
  NETWORK_TOOLS,
  FILE_TOOLS,
  MEDIA_TOOLS,
  DATA_CLIENTS,
  BUILD_TOOLS,
  SYSTEM_TOOLS,
  MANUALS_NETWORK,
  MANUALS_FILES,
  MANUALS_BUILD,
  MANUALS_SYSTEM,
  MANUALS_MACHINE,
  MANUALS_TEXTS,
  MANUALS_VERBS,
  MANUALS_RARE,
];

interface Row {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly when: RegExp | undefined;
  readonly spec: OptionSpec;
  readonly options: ReadonlyMap<string, RoleName>;
  /** Matches the words of a call that may have one of these options; most calls have none. */
  readonly hint: RegExp | undefined;
  readonly operands: readonly Operand[];
}

interface Operand {
  readonly role: RoleName;
  /** From 0; `last` is the last operand, `key=` each one that begins so. */
  readonly from: number | "last" | `${string}=`;
  readonly to: number;
}

let rows: ReadonlyMap<string, readonly Roles[]> | undefined;
const compiled = new WeakMap<Roles, Row>();

/** The rows of all programs; a row is compiled when its program occurs. */
function rowsOf(program: string): readonly Roles[] | undefined {
  if (rows === undefined) {
    const all = new Map<string, Roles[]>();
    for (const table of ROLE_TABLES)
      for (const [programs, roles] of table)
        for (const name of programs.split(/\s+/)) {
          const known = all.get(name);
          if (known === undefined) all.set(name, [roles]);
          else known.push(roles);
        }
    rows = all;
  }
  return rows.get(program) ?? (/\d$/.test(program) ? rows.get(program.replace(/-?[\d.]+$/, "")) : undefined);
}

/** Adds the effects of what the options and operands of a call name. Says whether the tables have the program. */
export function judgeRoles(call: Call): boolean {
  const found = rowsOf(call.program);
  if (found === undefined) return false;
  // The options of a wrapper come first; what follows is judged as a command of its own.
  const own = found.every(({ stop }) => stop === true) ? beginningOf(call.args) : call.args;
  const text = own.join(" ");
  const dashes = text.includes("-");
  call.state.budget.spend(1 + (own.length + text.length / 20) / 10);
  for (const roles of found) {
    let row = compiled.get(roles);
    if (row === undefined) compiled.set(roles, (row = compile(roles)));
    const named = row.operands.length > 0 || (roles.harm === undefined && dashes && row.hint?.test(text) !== false);
    if (roles.harm !== undefined && roles.when?.test(roles.input ? `${text}\n${call.stdin.text ?? ""}` : text))
      call.by.harm(roles.harm, `${call.program} ${text}`.slice(0, 300));
    judgeText(roles, text, call);
    if (named && row.when?.test(text) !== false) judgeRow(row, call);
  }
  return true;
}

/** What the patterns of a row find in the words of the call. */
function judgeText({ writes, reads, calls }: Roles, text: string, call: Call): void {
  if (writes !== undefined)
    for (const [, file = ""] of text.matchAll(writes)) call.by.write(file.replace(/^~(?=\/)/, call.by.home), call);
  if (reads !== undefined)
    for (const [, file = ""] of text.matchAll(reads)) call.by.read(file.replace(/^~(?=\/)/, call.by.home), call);
  if (calls !== undefined)
    for (const [, command = ""] of text.matchAll(calls))
      call.by.script(command, call, { stdin: UNSEEN, state: fork(call.state) });
}

const MAX_BEGINNING = 40;

/** The first words, unless all of them are options. */
function beginningOf(args: readonly string[]): readonly string[] {
  if (args.length <= MAX_BEGINNING) return args;
  const first = args.slice(0, MAX_BEGINNING);
  return first.every((arg) => arg.startsWith("-")) ? args : first;
}

function compile(roles: Roles): Row {
  const options = new Map<string, RoleName>();
  const operands: Operand[] = [];
  for (const role of ROLE_NAMES)
    for (const word of roles[role]?.split(/\s+/) ?? []) {
      const place = /^#(\d+|last|\*)(\+?)$/.exec(word);
      if (word.endsWith("=")) operands.push({ role, from: word as `${string}=`, to: 0 });
      else if (place === null) options.set(word, role);
      else if (place[1] === "last") operands.push({ role, from: "last", to: Infinity });
      else if (place[1] === "*") operands.push({ role, from: 0, to: Infinity });
      else operands.push({ role, from: Number(place[1]) - 1, to: place[2] === "+" ? Infinity : Number(place[1]) - 1 });
    }
  const names = [...options.keys()];
  return {
    verbs: roles.verbs === undefined ? undefined : new Set(roles.verbs.split(/\s+/)),
    when: roles.when,
    spec: {
      short: names.filter((name) => name.length === 1).join(""),
      long: roles.words ? names : names.filter((name) => name.length > 1),
      words: roles.words,
      stop: roles.stop,
    },
    options,
    hint: hintOf(
      [...options].filter(([, role]) => role !== "data").map(([name]) => name),
      roles.words === true,
    ),
    operands,
  };
}

function hintOf(names: readonly string[], words: boolean): RegExp | undefined {
  if (names.length === 0) return undefined;
  if (words) return new RegExp(`(?:^|\\s)--?(?:${[...new Set(names.map((name) => name.slice(0, 2)))].join("|")})`);
  const letters = names.filter((name) => name.length === 1).map((name) => name.replace(/[\\\]^-]/, "\\$&"));
  const long = names.filter((name) => name.length > 1).map((name) => name.slice(0, 2));
  return new RegExp(
    [
      ...(letters.length > 0 ? [`(?:^|\\s)-[^\\s-]*[${letters.join("")}]`] : []),
      ...(long.length > 0 ? [`--(?:${[...new Set(long)].join("|")})`] : []),
    ].join("|"),
  );
}

function judgeRow(row: Row, call: Call): void {
  const options = parseOptions(call.args, row.spec);
  let { operands } = options;
  if (row.verbs !== undefined) {
    const at = operands.findIndex((operand) => row.verbs!.has(operand));
    if (at === -1 || at > 1) return;
    operands = operands.slice(at + 1);
  }
  for (const { name, value } of options.options) {
    if (value === undefined) continue;
    const role = row.options.get(row.spec.words ? name.split(":", 1)[0]! : name) ?? abbreviated(name, row);
    if (role !== undefined) perform(role, value, `${name.length > 1 && !row.spec.words ? "--" : "-"}${name}`, call);
  }
  for (const [at, operand] of operands.entries())
    for (const { role, from, to } of row.operands)
      if (typeof from === "number" ? at >= from && at <= to : from === "last" && at === operands.length - 1)
        perform(role, operand, "", call);
      else if (typeof from === "string" && from !== "last" && operand.startsWith(from))
        perform(role, operand.slice(from.length), from, call);
}

/** Long names may be cut short as far as they stay clear. */
function abbreviated(name: string, row: Row): RoleName | undefined {
  if (name.length < 3 || row.spec.words) return undefined;
  const full = [...row.options.keys()].filter((one) => one.startsWith(name));
  return full.length === 0 ? undefined : row.options.get(full[0]!);
}

function perform(role: RoleName, value: string, option: string, call: Call): void {
  switch (role) {
    case "command":
      if (isUsualProgram(value)) return;
      call.by.harm("option-runs", `${call.program} ${option} runs ${value}`.replace("  ", " "));
      if (isKnown(value)) call.by.script(value.replace(/^[|!]/, ""), call, { stdin: UNSEEN, state: fork(call.state) });
      return;
    case "runs":
      if (isKnown(value)) call.by.script(value, call, { stdin: UNSEEN, state: fork(call.state) });
      return;
    case "host":
    case "sends":
      if (value !== "" && value !== "-" && !isLocalFile(value)) call.by.network(value, role === "sends");
      return;
    case "read":
    case "write":
      if (value === "-" || value === "") return;
      if (isAddress(value)) call.by.network(value, role === "write");
      else if (role === "write") call.by.write(withoutScheme(value), call);
      else call.by.read(withoutScheme(value), call);
      return;
    case "url":
      if (isAddress(value)) call.by.network(value);
      else if (value.startsWith("file:")) call.by.read(withoutScheme(value), call);
      return;
    case "config":
      if (!isUsualConfig(value, call))
        call.by.harm("option-runs", `${call.program} ${option} takes settings from ${value}`);
      return;
    case "settings":
      if (!isUsualConfig(value, call) && !isInProject(value, call))
        call.by.harm("option-runs", `${call.program} ${option} takes settings from ${value}`);
      return;
    case "load":
      if (hasMark(value) || /[/\\]|\.(?:so|dylib|dll)\b/.test(value))
        call.by.harm("option-runs", `${call.program} ${option} loads ${value}`);
      return;
    case "data":
      return;
  }
}

const withoutScheme = (value: string): string => value.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/|[^/])/, "");
const isLocalFile = (value: string): boolean => /^(?:\/(?!\/|[a-z]+:)|\.{1,2}\/|~)/.test(value);

function isInProject(value: string, call: Call): boolean {
  const { cwds } = call.state;
  return call.by
    .paths(value, call.state)
    .every((path) => cwds.some((cwd) => cwd !== undefined && path.startsWith(`${cwd}/`)));
}

/** Settings in a home or of the system, which no one but the user writes unasked, and no settings at all. */
function isUsualConfig(value: string, call: Call): boolean {
  if (/^(?:\/dev\/null|none|default|-)$/i.test(value)) return true;
  return call.by
    .paths(value, call.state)
    .every((path) => /^\/(?:etc|usr|opt)\//.test(path) || path.startsWith(`${call.by.home}/.`));
}
