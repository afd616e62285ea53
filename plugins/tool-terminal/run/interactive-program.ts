import { interactiveGit } from "./interactive-git.ts";

/** Full-screen programs that wait for keys, with a non-interactive alternative. */
const SCREENS: { readonly [program: string]: string } = {
  ...Object.fromEntries(
    ["vi", "vim", "nvim", "view", "nano", "pico", "emacs", "micro", "joe", "ed"].map((editor) => [
      editor,
      "Read with read_file and change with patch or write_file",
    ]),
  ),
  ...Object.fromEntries(
    ["top", "htop", "btop", "atop"].map((monitor) => [monitor, "Use `top -b -n 1` or `ps aux --sort=-%cpu | head`"]),
  ),
  watch: "Run the command itself, or in a loop that ends",
  tmux: "Use background=true",
  screen: "Use background=true",
  mc: "Use ls, cp and mv",
  ncdu: "Use `du -sh *`",
  tig: "Use `git log`",
  lazygit: "Use git commands",
  fzf: "Use grep",
  nmtui: "Use nmcli",
};

/** Programs that read commands interactively when they get none. */
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
  sqlite3: "the SQL after the file name",
  "redis-cli": "the command after it",
  mongosh: "`mongosh --eval`",
  ftp: "curl",
  sftp: "`sftp -b` or scp",
  telnet: "`curl telnet://` or `nc` with redirected input",
  gdb: "`gdb -batch -ex`",
};

/** Programs that open an editor. */
const EDITS: { readonly [program: string]: { readonly instead: string; when(rest: readonly string[]): boolean } } = {
  visudo: {
    instead: "Write a file in /etc/sudoers.d and check it with `visudo -c`",
    when: (rest) => !rest.some((word) => word.startsWith("-c") || word === "--check"),
  },
  vipw: { instead: "Use usermod and similar commands", when: () => true },
  crontab: {
    instead: "Write the output of `crontab -l` to a file, edit it, then run `crontab FILE`",
    when: (rest) => rest.includes("-e"),
  },
  systemctl: {
    instead: "Write a file in /etc/systemd/system",
    when: (rest) => rest.includes("edit") && !rest.includes("--stdin"),
  },
  kubectl: { instead: "Use `kubectl patch` or `kubectl apply -f`", when: (rest) => rest[0] === "edit" },
};

/**
 * Why these words would wait for a user at a terminal, and a non-interactive alternative.
 * @param given Its input comes from a file, a here-document or another command.
 */
export function interactiveProgram(words: readonly string[], given: boolean): string | undefined {
  const [path = "", ...rest] = words;
  const program = path.slice(path.lastIndexOf("/") + 1);
  if (rest.some((word) => ["--help", "--version", "-V", "-h"].includes(word))) return undefined;
  const has = (...flags: readonly string[]): boolean =>
    rest.some((word) => flags.some((flag) => word === flag || (flag.startsWith("--") && word.startsWith(`${flag}=`))));
  const short = (letters: string): boolean =>
    rest.some((word) => /^-[a-zA-Z]+\d*$/.test(word) && [...letters].some((letter) => word.includes(letter)));
  const named = rest.filter((word) => !word.startsWith("-"));
  const why = (instead: string): string =>
    `\`${words.slice(0, 3).join(" ")}\` waits for a user at a terminal. ${instead}`;
  const screen = Object.hasOwn(SCREENS, program) ? SCREENS[program] : undefined;
  if (screen !== undefined) {
    const scripted =
      given ||
      (program.startsWith("top") && short("b")) ||
      (/vim?$/.test(program) && (short("es") || has("--headless"))) ||
      (program === "emacs" && has("--batch", "-batch", "--script")) ||
      (program === "fzf" && (has("--filter") || short("f"))) ||
      (["tmux", "screen"].includes(program) && rest.length > 0);
    return scripted ? undefined : why(`${screen}.`);
  }
  if (given) return undefined;
  const prompt = PROMPTS[/^python[\d.]*$/.test(program) ? "python" : program];
  if (prompt !== undefined && Object.hasOwn(PROMPTS, /^python[\d.]*$/.test(program) ? "python" : program)) {
    const asks = ["psql", "mysql", "mariadb", "mongosh", "gdb"].includes(program)
      ? !has("-c", "-e", "-f", "-l", "--command", "--execute", "--file", "--list", "--eval", "--batch", "-batch", "-x")
      : program === "sqlite3"
        ? named.length < 2
        : program === "sftp"
          ? !has("-b")
          : ["telnet", "ftp"].includes(program)
            ? true
            : rest.length === 0 || short("i");
    return asks ? why(`Pass the code or command to run: ${prompt}.`) : undefined;
  }
  if (program === "ssh" && remoteCommandMissing(rest)) return why("Pass the command to run there: `ssh host command`.");
  if (
    ["npm", "pnpm", "yarn"].includes(program) &&
    rest[0] === "init" &&
    named.length === 1 &&
    !short("y") &&
    !has("--yes")
  )
    return why(`\`${program} init -y\` does not ask.`);
  if (Object.hasOwn(EDITS, program) && EDITS[program]!.when(rest)) return why(`${EDITS[program]!.instead}.`);
  if (program === "git") {
    const instead = interactiveGit(rest);
    return instead === undefined ? undefined : why(instead);
  }
  return undefined;
}

/** Options of ssh that take an argument. */
const SSH_WORDS = "BbcDEeFIiJLlmOopQRSWw";

function remoteCommandMissing(words: readonly string[]): boolean {
  let at = 0;
  for (; at < words.length && words[at]!.startsWith("-"); at += 1) {
    if (/[NfOQGVW]/.test(words[at]!.slice(1, 2))) return false;
    if (words[at]!.length === 2 && SSH_WORDS.includes(words[at]![1]!)) at += 1;
  }
  return at === words.length - 1;
}
