/** Slash commands of the core, their aliases included. No plugin may take one. The surface's table is held to this list by a test. */
export const RESERVED_COMMANDS: ReadonlySet<string> = new Set([
  "help", "new", "reset", "sessions", "resume", "branch", "fork", "title", "history", "save", "queue", "q", "steer", "compress", "compact", "continue", "stop", "model", "tools",
  "toolsets", "plugins", "reload", "config", "usage", "status", "busy", "yolo", "approvals", "profile", "version", "v", "redraw", "clear", "quit", "exit",
  "verbose", "timestamps", "ts", "indicator", "statusbar", "sb", "reasoning", "copy", "snapshot", "snap", "image", "paste", "skin", "approve", "deny", "resend", "whoami", "platforms", "gateway", "cron", "footer", "gquota",
]);
