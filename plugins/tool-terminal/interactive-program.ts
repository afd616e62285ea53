/** Programs that draw on a whole screen and wait for keys, and what shows or does the same without. */
const SCREENS: { readonly [program: string]: string } = {
  ...Object.fromEntries(["vi", "vim", "nvim", "view", "nano", "pico", "emacs", "micro", "joe", "ed"].map((editor) => [editor, "Read with read_file and change with patch or write_file"])),
  ...Object.fromEntries(["top", "htop", "btop", "atop"].map((monitor) => [monitor, "`top -b -n 1` or `ps aux --sort=-%cpu | head` prints once"])),
  watch: "Run the command itself, or in a loop that ends",
  tmux: "Use background=true",
  screen: "Use background=true",
  mc: "Use ls, cp and mv",
  ncdu: "`du -sh *` prints once",
  tig: "`git log` prints",
  lazygit: "git does the same by commands",
  fzf: "grep filters without asking",
  nmtui: "nmcli does the same by commands",
};

/** Programs that read commands from whoever sits there when they are given none. */
const PROMPTS: { readonly [program: string]: string } = {
  python: "`python -c` or a script file",
  ipython: "`python -c` or a script file",
  node: "`node -e` or a script file",
  irb: "`ruby -e` or a script file",
  lua: "`lua -e` or a script file",
  ghci: "`ghc -e`",
  psql: "`psql -c`",
  mysql: "`mysql -e`",
  mariadb: "`mariadb -e`",
  sqlite3: "the SQL after the file's name",
  "redis-cli": "the command after it",
  mongosh: "`mongosh --eval`",
  ftp: "curl",
  sftp: "`sftp -b` or scp",
  telnet: "`curl telnet://` or `nc` with given input",
  gdb: "`gdb -batch -ex`",
};

/**
 * Why these words would wait for a person at a terminal, and what does the same without one.
 * @param given Its input comes from a file, a here-document or another command.
 */
export function interactiveProgram(words: readonly string[], given: boolean): string | undefined {
  const [path = "", ...rest] = words;
  const program = path.slice(path.lastIndexOf("/") + 1);
  if (rest.some((word) => ["--help", "--version", "-V", "-h"].includes(word))) return undefined;
  const has = (...flags: readonly string[]): boolean => rest.some((word) => flags.some((flag) => word === flag || (flag.startsWith("--") && word.startsWith(`${flag}=`))));
  const short = (letters: string): boolean => rest.some((word) => /^-[a-zA-Z]+\d*$/.test(word) && [...letters].some((letter) => word.includes(letter)));
  const named = rest.filter((word) => !word.startsWith("-"));
  const why = (instead: string): string => `\`${words.slice(0, 3).join(" ")}\` waits for a person at a terminal. ${instead}`;
  const screen = Object.hasOwn(SCREENS, program) ? SCREENS[program] : undefined;
  if (screen !== undefined) {
    const scripted = given || (program.startsWith("top") && short("b")) || (/vim?$/.test(program) && (short("es") || has("--headless"))) || (program === "emacs" && has("--batch", "-batch", "--script")) || (program === "fzf" && (has("--filter") || short("f"))) || (["tmux", "screen"].includes(program) && rest.length > 0);
    return scripted ? undefined : why(`${screen}.`);
  }
  if (given) return undefined;
  const prompt = PROMPTS[/^python[\d.]*$/.test(program) ? "python" : program];
  if (prompt !== undefined && Object.hasOwn(PROMPTS, /^python[\d.]*$/.test(program) ? "python" : program)) {
    const asks = ["psql", "mysql", "mariadb", "mongosh", "gdb"].includes(program) ? !has("-c", "-e", "-f", "-l", "--command", "--execute", "--file", "--list", "--eval", "--batch", "-batch", "-x") : program === "sqlite3" ? named.length < 2 : program === "sftp" ? !has("-b") : ["telnet", "ftp"].includes(program) ? true : rest.length === 0 || short("i");
    return asks ? why(`Give it what it is to do: ${prompt}.`) : undefined;
  }
  if (program === "ssh" && remoteCommandMissing(rest)) return why("Give it the command to run there: `ssh host command`.");
  if (["npm", "pnpm", "yarn"].includes(program) && rest[0] === "init" && named.length === 1 && !short("y") && !has("--yes")) return why(`\`${program} init -y\` asks nothing.`);
  if (program === "git") return interactiveGit(rest, has, short, why);
  return undefined;
}

function interactiveGit(rest: readonly string[], has: (...flags: readonly string[]) => boolean, short: (letters: string) => boolean, why: (instead: string) => string): string | undefined {
  const [action] = rest;
  if (action === "rebase" && (short("i") || has("--interactive"))) return why("Set GIT_SEQUENCE_EDITOR to a program that edits the list, or rebase without -i.");
  if ((action === "add" || action === "checkout" || action === "reset" || action === "stash") && (short("p") || has("--patch", "--interactive"))) return why("Name the files, or use `git apply --cached`.");
  const worded = has("--message", "--file", "--no-edit", "--reuse-message", "--fixup", "--dry-run", "-C") || short("mFC");
  return action === "commit" && !worded ? why("Give the message: `git commit -m`.") : undefined;
}

/** Options of ssh that take a word of their own. */
const SSH_WORDS = "BbcDEeFIiJLlmOopQRSWw";

function remoteCommandMissing(words: readonly string[]): boolean {
  let at = 0;
  for (; at < words.length && words[at]!.startsWith("-"); at += 1) {
    if (/[NfOQGVW]/.test(words[at]!.slice(1, 2))) return false;
    if (words[at]!.length === 2 && SSH_WORDS.includes(words[at]![1]!)) at += 1;
  }
  return at === words.length - 1;
}
