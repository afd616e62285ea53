import {
  riskOfCommand,
  within,
  type CommandEffect,
  type CommandJudgement,
  type Risk,
  type TerminalFiles,
  type SandboxBounds,
} from "hermes-agent/plugin";

/** Programs that act only locally: they start no other program and contact no other machine. */
const PLAIN = new Set(
  "[ basename cat cd chgrp chmod chown cp cut date df dirname du echo false file grep head id kill killall ls mkdir mv pgrep pidof pkill printf ps pwd realpath rm rmdir sleep stat tail tee test touch tr true truncate uname uniq wait wc whoami".split(
    " ",
  ),
);

/**
 * Whether only such programs run, so that every effect is local: `ssh host pkill` has the same effect on another
 * machine.
 */
export function isPlain({ lines, effects }: CommandJudgement): boolean {
  return (
    lines.length > 0 &&
    lines.every((line) => PLAIN.has(line.split(/\s/, 1)[0]!)) &&
    effects.every(({ kind }) => kind !== "network" && kind !== "execute" && kind !== "harm")
  );
}

/**
 * The remaining risks of a plain command in the sandbox. Its kills affect only processes of the sandbox, and the kernel
 * refuses changes outside the writable folders. Effects inside them are assessed as usual.
 * @param again Assesses the command again with the contained effects removed.
 */
export async function riskWithin(
  sandbox: SandboxBounds,
  { effects }: CommandJudgement,
  files: Pick<TerminalFiles, "resolve">,
  again: (held: (effect: CommandEffect) => boolean) => Promise<CommandJudgement>,
): Promise<Risk | undefined> {
  const held = new Set<string>();
  for (const effect of effects) if (await isHeld(effect, sandbox, files)) held.add(JSON.stringify(effect));
  return riskOfCommand(await again((effect) => held.has(JSON.stringify(effect))));
}

async function isHeld(
  effect: CommandEffect,
  sandbox: SandboxBounds,
  files: Pick<TerminalFiles, "resolve">,
): Promise<boolean> {
  if (effect.kind === "signal") return sandbox.ownProcesses;
  if (effect.kind !== "write" && effect.kind !== "delete" && effect.kind !== "mode" && effect.kind !== "owner")
    return false;
  // A path that the text does not show completely may be anywhere.
  if (effect.path === undefined || !/^\/[\w./ +@,=-]*$/.test(effect.path)) return false;
  try {
    const path = await files.resolve(effect.path);
    // Neither in a writable folder nor above one.
    return sandbox.write.every((open) => within(path, open) === undefined && within(open, path) === undefined);
  } catch {
    return false; // The target is unknown.
  }
}
