/** The effect of a call in a program text on its arguments. */
export type Act =
  | "shell"
  | "argv"
  | "words"
  | "delete-tree"
  | "delete"
  | "open"
  | "write"
  | "read"
  | "dynamic"
  | "kill"
  | "fork"
  | "network"
  | "mode"
  | "move"
  | "sql";

/** Functions by their own name, whatever stands before it. */
const ANYWHERE: { readonly [act in Act]?: string } = {
  shell: `popen popen2 popen3 getoutput getstatusoutput create_subprocess_shell shell_exec passthru proc_open execSync qx
    capture2 capture3 capture2e popen2e shell-command`,
  argv: "check_call check_output Popen",
  words: `spawn spawnSync execFile execFileSync execv execvp execl execlp execve spawnl spawnlp spawnv posix_spawn fork_exec
    create_subprocess_exec pcntl_exec`,
  "delete-tree": `rmtree rm_rf rm_r remove_entry_secure remove_dir rimraf rimrafSync removeSync emptyDirSync
    remove_tree rmSync rmdirSync removedirs delete-directory deleteRecursively deleteDirectory
    removeDirectoryRecursive removePathForcibly removeItem removeDir deleteTree deleteDir delTree RemoveAll
    remove_dir_all`,
  delete: "unlink unlinkSync",
  open: "open",
  write: "file_put_contents writeFileSync writeFile appendFileSync appendFile createWriteStream write_text",
  move: "copyfile copyFileSync rename renameSync symlink symlinkSync ln_s ln_sf",
  read: "readFileSync readFile file_get_contents readfile Path",
  dynamic: `eval __import__ getattr import_module Function instance_eval class_eval create_function call_user_func
    runInThisContext runInNewContext public_send __send__ _compile compileFunction runInContext SourceTextModule
    ReflectionFunction dlopen CDLL syscall methodcaller loadstring`,
  kill: "killpg posix_kill",
  fork: "pcntl_fork",
  mode: "chmod chmodSync",
  network: `urlopen urlretrieve fetch fsockopen create_connection socket connect createConnection gethostbyname
    gethostbyname_ex gethostbyaddr getaddrinfo HTTPConnection HTTPSConnection TCPSocket dns_get_record checkdnsrr resolve4
    resolveTxt`,
  sql: "executescript executemany",
};

/** Functions that mean it only after certain names. */
const AFTER: readonly (readonly [name: string, before: RegExp, act: Act])[] = [
  ["system", /^(os|posix|Kernel|IO|php|require|)$/, "shell"],
  ["execute", /^os$/, "shell"],
  // Any receiver: only statements that do harm are recognised by their text.
  ["execute", /./, "sql"],
  ["query", /^(|.*(db|pool|client|conn|connection|pg|mysql|knex|pdo|require))$/i, "sql"],
  ["sh", /^Kernel$/, "shell"],
  ["lookup", /^(dns|promises|)$/, "network"],
  ["get", /^(https?|LWP|requests|axios|got|httpx)$/, "network"],
  ["request", /^(https?|requests|axios|httpx)$/, "network"],
  ["download", /^$/, "network"],
  ["exec", /^(re|.*regex|.*pattern)$/i, "network"],
  ["exec", /^(db|database|pdo|conn|sqlite)$/i, "sql"],
  ["exec", /^(|child_process|cp|Kernel|proc|process|childProcess|require)$/, "shell"],
  ["run", /^(subprocess|sp|sub)$/, "argv"],
  ["run", /^vm$/, "dynamic"],
  ["run", /^db$/i, "sql"],
  ["call", /^(subprocess|sp)$/, "argv"],
  ["Command", /^(Deno|)$/, "words"],
  ["rm", /^(fs|fsp|promises|FileUtils|fsPromises|Deno|)$/, "delete-tree"],
  ["remove", /^Deno$/, "delete-tree"],
  ["removeSync", /^Deno$/, "delete-tree"],
  ["file", /^Bun$/, "read"],
  ["readTextFile", /^Deno$/, "read"],
  ["readTextFileSync", /^Deno$/, "read"],
  ["writeTextFile", /^Deno$/, "write"],
  ["writeTextFileSync", /^Deno$/, "write"],
  ["write", /^Bun$/, "write"],
  ["deleteSync", /./, "delete"],
  ["remove", /^os$/, "delete"],
  ["write", /^(File|IO)$/, "write"],
  ["move", /^shutil$/, "move"],
  ["read", /^(File|IO)$/, "read"],
  ["compile", /^$/, "dynamic"],
  ["load", /^$/, "dynamic"],
  ["interact", /^code$/, "dynamic"],
  ["assert", /^php$/, "dynamic"],
  ["loads", /^(pickle|marshal|dill|cloudpickle)$/, "dynamic"],
  ["binding", /^process$/, "dynamic"],
  ["kill", /^(os|process|Process|posix|signal|require|)$/, "kill"],
  ["fork", /^(os|Process|posix|require|)$/, "fork"],
];

const PLAIN = new Map(
  Object.entries(ANYWHERE).flatMap(([act, names]) => names.split(/\s+/).map((name) => [name, act as Act] as const)),
);

/**
 * @param before The name in front of the dot; `""` where there is none, `require` after a closing parenthesis, `?` for
 *   anything else.
 */
export function actOf(name: string, before: string): Act | undefined {
  return AFTER.find(([own, wanted]) => own === name && wanted.test(before))?.[2] ?? PLAIN.get(name);
}

/** Acts that start another program. */
export const STARTS: ReadonlySet<Act> = new Set(["shell", "argv", "words"]);
