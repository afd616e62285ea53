/** Labelled lines for the judgement of paths, in the form of `hermes safety paths`: home `/home/u`, workspace `/home/u/p`, where {@link LINKS} lie. */
export interface PathCase {
  readonly path: string;
  readonly operation: "read" | "write";
}

export const PLACES = { home: "/home/u", workspace: "/home/u/p" } as const;

/** Symbolic links of the made-up file system. */
export const LINKS: { readonly [path: string]: string } = {
  "/home/u/p/etc": "/etc", "/home/u/p/up": "..", "/home/u/p/deep/out": "../../../other", "/home/u/p/dangling": "/home/u/.ssh/authorized_keys", "/home/u/p/notes.txt": "/home/u/.aws/credentials", "/home/u/p/chain1": "chain2", "/home/u/p/chain2": "/root", "/home/u/p/proc": "/proc/self",
  "/home/u/p/in": "src/lib", "/home/u/p/current": "/home/u/p/releases/7", "/home/u/p/readme": "docs/README.md", "/home/u/p/loop": "loop",
};

const both = (paths: readonly string[]): readonly PathCase[] => paths.flatMap((path) => [{ path, operation: "read" } as const, { path, operation: "write" } as const]);
const only = (operation: "read" | "write", paths: readonly string[]): readonly PathCase[] => paths.map((path) => ({ path, operation }));

const OUTSIDE = ["/", "/etc/passwd", "/etc/shadow", "/root/.bashrc", "/home/u", "/home/u/other/x", "/home/u/p2/x", "/home/u/pp", "/home/v/p/x", "/tmp/x", "/var/log/syslog", "/usr/bin/env", "/opt/x", "/mnt/x", "/srv/www"];
const WAYS_OUT = ["..", "../", "../x", "../../etc/passwd", "a/../../x", "a/b/../../../x", "./../x", ".//..//x", "src/../../p2/x", "~", "~/x", "~/.ssh/id_rsa", "$HOME/x", "${HOME}/.bashrc", "%2e%2e/x", "..%2f..%2fetc%2fpasswd", "%252e%252e%252fx", "..%c0%afx", "..\\x", "a\\..\\..\\x", "．．／x", "‥/x", "․․/x", "..∕x", "..⁄x", ".\u200b./x", "..\u200d/x", ".. /x"];
const FOREIGN = ["~root/x", "~v/x", "file:///etc/passwd", "FILE:///etc/passwd", "https://example.org/x", "C:\\Windows\\win.ini", "c:/windows/win.ini", "\\\\server\\share\\x", "//?/C:/x", "a\0b", "a.txt\0.png", "x".repeat(5_000), "a\u001b[31mb", "a\u0007", "\u007fx"];
const DEVICES = ["/dev/zero", "/dev/random", "/dev/urandom", "/dev/full", "/dev/stdin", "/dev/tty", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmem", "/dev/fd/0", "/dev/tcp/1.2.3.4/80", "/proc/self/environ", "/proc/1/environ", "/proc/self/mem", "/proc/self/maps", "/proc/self/fd/1", "/proc/self/root/etc/shadow", "/proc/self/cwd/../x", "/proc/1/cwd/x", "/proc/kcore", "/proc/sysrq-trigger", "/sys/power/state", "/run/docker.sock", "/var/run/docker.sock"];
const LINKED_OUT = ["etc/passwd", "etc", "up/x", "up/p2/x", "deep/out/x", "deep/out", "dangling", "notes.txt", "chain1/x", "chain2", "proc/environ", "proc/root/etc/passwd", "loop", "loop/x", "in/../../../x"];
const SECRETS = [".env", ".env.local", ".env.production", ".ENV", "api/.env", ".env.", ".env ", ".env::$DATA", ".еnv", ".e\u200bnv", ".%65nv", "id_rsa", "keys/id_ed25519", "ID_RSA", "store.kdbx", "cert.p12", "release.jks"];
const PROTECTED = [".git/hooks/pre-commit", ".git/hooks/new-hook", ".GIT/hooks/x", ".git/config", ".git/modules/a/hooks/x", ".git/info/attributes", ".git//hooks/./x", ".git\\hooks\\x", ".gіt/hooks/x", ".git./hooks/x", "sub/.git/config", ".husky/_/pre-commit", "src/../.git/hooks/x", ".vscode/settings.json", ".vscode/tasks.json", "x.code-workspace", ".bashrc", "dotfiles/.zshrc", ".gdbinit", ".claude/hooks/x.sh"];

export function harmfulPaths(): readonly PathCase[] {
  return [...both(OUTSIDE), ...both(WAYS_OUT), ...both(FOREIGN), ...both(DEVICES), ...both(LINKED_OUT), ...both(SECRETS), ...only("write", PROTECTED)];
}

const ORDINARY = [
  "a.ts", "./a.ts", "src/a.ts", "src/../a.ts", "/home/u/p/a.ts", "/home/u/p", "~/p/a.ts", ".", "src/", "src//a.ts", "new/folder/x.md", "README", ".gitignore", ".github/workflows/ci.yml", ".gitattributes", ".vscode/extensions.json", ".eslintrc", ".prettierrc", ".dockerignore", "Dockerfile", ".env.example", ".env.sample", ".env.template", "env.ts", "environment/.envs.md", "src/env/index.ts",
  "a..b", "...", "..a/b", "a../b", "a b/c.txt", "100% sure.md", "50%20off.txt", "[id]/page.tsx", "(group)/x.ts", "a:b.txt", "C++/x.cc", "$x.php", "it's.md", "#notes#", "~$doc.docx", "x.", "naïve.md", "документы/отчёт.md", "日本語/é.txt", "emoji-🎉.md", "a&b;c.txt", "-rf", "--help", "etc-notes/passwd.md", "process/notes.md", "dev/zero.md", "home/u/.ssh.md", "id_rsa.pub", "keys/readme.md", "git/hooks/x", "my.git/readme", "src/git/config.ts", "in/a.ts", "in", "current/app.js", "readme", "deep/x.ts", "a.txt.bak", "package.json", "Cargo.toml", "node_modules/x/index.js", "hooks/pre-commit.md", "very/deep/path/with/many/parts/in/it/x.json",
];

export function harmlessPaths(): readonly PathCase[] {
  return both(ORDINARY);
}
