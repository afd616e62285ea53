import assert from "node:assert/strict";
import { test } from "node:test";
import { seatbeltProfile } from "./seatbelt-profile.ts";

test("on macOS the same profile becomes sandbox-exec rules, of which the last match decides", () => {
  const profile = {
    write: ["/tmp", '/Users/me/work "one"'],
    hideFolders: ["/Users/me/.ssh", "/Users/me/.hermes"],
    hideFiles: ["/Users/me/work/.env"],
    keep: ["/Users/me/work/.vscode"],
    show: ["/Users/me/.hermes/skills"],
    placeholders: ["/Users/me/work/.envrc"],
    network: "off" as const,
  };
  assert.equal(
    seatbeltProfile(profile, "/tmp/pipes/task", "/tmp/pipes"),
    `(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath "/tmp") (subpath "/Users/me/work \\"one\\"") (subpath "/private/tmp") (subpath "/dev"))
(deny file-read* file-write* (subpath "/Users/me/.ssh") (subpath "/Users/me/.hermes") (subpath "/tmp/pipes"))
(deny file-read* file-write* (literal "/Users/me/work/.env"))
(allow file-read* (subpath "/Users/me/.hermes/skills"))
(allow file-read* file-write* (subpath "/tmp/pipes/task"))
(deny file-write* (subpath "/Users/me/work/.vscode") (subpath "/Users/me/work/.envrc"))
(deny file-write* (regex #"/\\.git/hooks(/|$)") (regex #"/\\.git/config$"))
(deny network-outbound (remote unix-socket))
(deny mach-lookup (global-name "com.apple.SecurityServer"))
(deny network*)
`,
  );
});
