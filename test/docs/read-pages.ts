import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Fence {
  readonly language: string;
  /** Words after the language: `run`, `config`, `file=…`. */
  readonly info: string;
  readonly code: string;
}

export interface DocsPage {
  /** From the project's root. */
  readonly file: string;
  readonly text: string;
  readonly fences: readonly Fence[];
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
}

/** Guides that exist in two languages. */
export const GUIDES = [
  "accounts.md",
  "acp.md",
  "adding-tools.md",
  "api-server.md",
  "approvals.md",
  "batch.md",
  "browser.md",
  "cli.md",
  "configuration.md",
  "cost.md",
  "cron.md",
  "dashboard.md",
  "discord.md",
  "email.md",
  "from-the-original.md",
  "gateway.md",
  "glossary.md",
  "homeassistant.md",
  "hooks.md",
  "maintenance.md",
  "mattermost.md",
  "mcp.md",
  "media.md",
  "memory.md",
  "models.md",
  "platform-adapters.md",
  "plugin-protocol.md",
  "plugins.md",
  "rl-training.md",
  "sandbox.md",
  "scripts.md",
  "sessions.md",
  "skills.md",
  "slack.md",
  "subagents.md",
  "terminals.md",
  "tools-runtime.md",
];

/** Every Markdown file of the project, in both languages. */
export function readPages(): readonly DocsPage[] {
  return globSync(["**/*.md", ".github/**/*.md"], {
    cwd: ROOT,
    exclude: ["**/node_modules", "dist", ".git", ".cache"],
  })
    .sort()
    .map(readPage);
}

export function readPage(file: string): DocsPage {
  return pageOf(file, readFileSync(join(ROOT, file), "utf8"));
}

export function pageOf(file: string, text: string): DocsPage {
  const { fences, prose } = splitFences(text);
  const headings = [...prose.matchAll(/^(#{1,6}) (.+)$/gm)].map(([, signs = "", words = ""]) => ({
    level: signs.length,
    text: words.trim(),
  }));
  const words = prose.replaceAll(/`[^`\n]*`(\]?)/g, (span, bracket: string) => (bracket === "" ? "" : span));
  return {
    file,
    text,
    fences,
    headings,
    anchors: anchorsOf(headings.map((heading) => heading.text)),
    links: linksIn(words),
  };
}

/** Targets of `[text](target "title")`, `![image](target)`, `[name]: target` and of HTML's links and images. */
function linksIn(text: string): readonly string[] {
  return [
    /\]\(<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)/g,
    /^ {0,3}\[[^\]\n]+\]:\s+<?([^\s>]+)/gm,
    /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g,
  ].flatMap((form) => [...text.matchAll(form)].map(([, target = ""]) => target));
}

function splitFences(text: string): { readonly fences: readonly Fence[]; readonly prose: string } {
  const fences: Fence[] = [];
  const prose = text.replaceAll(
    /^(`{3,})(\w*)[ ]?([^\n`]*)\n([^]*?)^\1\n/gm,
    (_, _ticks: string, language: string, info: string, code: string) => {
      fences.push({ language, info: info.trim(), code });
      return "";
    },
  );
  return { fences, prose };
}

/** GitHub's anchors: lower case, no punctuation, `-` for spaces, and a number after a repeated heading. */
function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, number>();
  return new Set(
    headings.map((heading) => {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-");
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}
