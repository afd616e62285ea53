/**
 * How `.env` refers to a value in the system's keychain: `OPENAI_API_KEY=keychain:` or, under another name,
 * `keychain:work key`.
 */
export const KEYCHAIN = "keychain:";

const SERVICE = "hermes-agent";
const WAIT_MS = 10_000;

/**
 * Reads one value from the system's keychain: `secret-tool` (GNOME Keyring, KWallet) or macOS's `security`. The user
 * may have to unlock it. `undefined` when there is none or it stays locked.
 */
export function readKeychain(
  account: string,
  env: { readonly [name: string]: string | undefined },
): string | undefined {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const [program, args] =
    process.platform === "darwin"
      ? (["security", ["find-generic-password", "-s", SERVICE, "-a", account, "-w"]] as const)
      : (["secret-tool", ["lookup", "service", SERVICE, "account", account]] as const);
  const ended = spawnSync(program, args, {
    encoding: "utf8",
    timeout: WAIT_MS,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...env } as NodeJS.ProcessEnv,
  });
  const value = ended.status === 0 ? ended.stdout.replace(/\r?\n$/, "") : "";
  return value === "" ? undefined : value;
}
