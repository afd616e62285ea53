import type { Page } from "hermes-agent/browser";
import type { Json, JsonObject } from "hermes-agent/plugin";
import type { Refs } from "./refs.ts";

export interface Snapshot {
  readonly text: string;
  readonly elements: readonly {
    readonly ref: string;
    readonly role: string;
    readonly name: string;
    readonly node: number;
  }[];
}

interface Node {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: Json };
  readonly name?: { readonly value?: Json };
  readonly value?: { readonly value?: Json };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: Json } }[];
  readonly childIds?: readonly string[];
  readonly parentId?: string;
  readonly backendDOMNodeId?: number;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const INTERACTIVE = words(
  "button link textbox searchbox checkbox radio combobox listbox option menuitem menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem Date DateTime InputTime ColorWell DisclosureTriangle",
);
/** Roles that structure a page, beside the interactive ones. */
const LANDMARKS = words("heading alert alertdialog dialog status Iframe form navigation main search");
const UNSAID = words(
  "generic none RootWebArea InlineTextBox LineBreak WebArea ListMarker LayoutTable LayoutTableRow LayoutTableCell",
);
const FLAGS = words("checked selected disabled expanded pressed required readonly invalid level");
const MAX_NODES = 20_000;
const MAX_FRAMES = 30;
const NAME_CHARS = 200;

/**
 * The page as its accessibility tree has it, a line for each part, and a name for each element that can be acted on.
 * Frames stand where they are.
 */
export async function takeSnapshot(page: Page, refs: Refs, full: boolean): Promise<Snapshot> {
  refs.begin(page.documents);
  const lines: string[] = [];
  const elements: { ref: string; role: string; name: string; node: number }[] = [];
  let frames = 0;
  let nodes = 0;

  const frame = async (frameId: string | undefined, depth: number): Promise<void> => {
    if ((frames += 1) > MAX_FRAMES) return;
    const { nodes: list } = await page.send("Accessibility.getFullAXTree", frameId === undefined ? {} : { frameId });
    const byId = new Map((list as unknown as readonly Node[]).map((node) => [node.nodeId, node]));
    const root = (list as unknown as readonly Node[]).find(({ parentId }) => parentId === undefined);
    if (root !== undefined) await walk(root, byId, depth, "");
  };

  const walk = async (node: Node, byId: ReadonlyMap<string, Node>, depth: number, above: string): Promise<void> => {
    if ((nodes += 1) > MAX_NODES) return;
    const role = textOf(node.role);
    const name = textOf(node.name);
    let below = depth;
    if (!node.ignored && !UNSAID.has(role)) {
      const line = lineOf(node, role, name, above);
      if (line !== undefined) {
        lines.push(`${"  ".repeat(depth)}- ${line}`);
        below += 1;
      }
    }
    if (role === "Iframe" && node.backendDOMNodeId !== undefined) {
      const inner = await page.send("DOM.describeNode", { backendNodeId: node.backendDOMNodeId }).then(
        ({ node: described }) => (described as JsonObject)["frameId"],
        () => undefined,
      );
      if (typeof inner === "string") await frame(inner, below).catch(() => undefined); // It went while the page was read.
      return;
    }
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child !== undefined) await walk(child, byId, below, name === "" ? above : name);
    }
  };

  const lineOf = (node: Node, role: string, name: string, above: string): string | undefined => {
    // A name that only repeats what holds it is no news.
    if (role === "StaticText")
      return full && name !== "" && !above.includes(name) ? `text: ${quoted(name)}` : undefined;
    const focusable = INTERACTIVE.has(role) || property(node, "focusable") === true;
    const acts = focusable && node.backendDOMNodeId !== undefined && role !== "Iframe";
    if (!acts && !full && !LANDMARKS.has(role)) return undefined;
    const flags = (node.properties ?? []).filter(
      ({ name: flag, value }) =>
        FLAGS.has(flag) && value.value !== false && value.value !== "false" && value.value !== undefined,
    );
    const value = textOf(node.value);
    let ref = "";
    if (acts) {
      const called = refs.name(node.backendDOMNodeId!);
      elements.push({ ref: `@${called}`, role, name: name.slice(0, NAME_CHARS), node: node.backendDOMNodeId! });
      ref = ` [ref=${called}]`;
    }
    const message = flags
      .map(({ name: flag, value: { value: of } }) =>
        of === true || of === "true" ? ` [${flag}]` : ` [${flag}=${String(of)}]`,
      )
      .join("");
    return `${role.toLowerCase()}${name === "" ? "" : ` ${quoted(name)}`}${ref}${message}${value === "" || value === name ? "" : `: ${quoted(value)}`}`;
  };

  await frame(undefined, 0);
  return { text: lines.join("\n"), elements };
}

function property(node: Node, name: string): Json | undefined {
  return node.properties?.find((one) => one.name === name)?.value.value;
}

function textOf(value: { readonly value?: Json } | undefined): string {
  const text = value?.value;
  return typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim() : typeof text === "number" ? String(text) : "";
}

function quoted(text: string): string {
  return JSON.stringify(text.length > NAME_CHARS * 5 ? `${text.slice(0, NAME_CHARS * 5).toWellFormed()}…` : text);
}
