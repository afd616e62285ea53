import {
  riskOfCommand,
  within,
  type CommandEffect,
  type CommandJudgement,
  type Risk,
  type TerminalFiles,
  type SandboxBounds,
} from "hermes-agent/plugin";

/** Programs that do what they do here and by themselves: they start no other and reach no other machine. */
const PLAIN = new Set(
  "[ basename cat cd chgrp chmod chown cp cut date df dirname du echo false file grep head id kill killall ls mkdir mv pgrep pidof pkill printf ps pwd realpath rm rmdir sleep stat tail tee test touch tr true truncate uname uniq wait wc whoami".split(
    " ",
  ),
);

/** Nothing but such programs, so that each effect is one on this machine: `ssh host pkill` has the same effect elsewhere. */
export function isPlain({ lines, effects }: CommandJudgement): boolean {
  return (
    lines.length > 0 &&
    lines.every((line) => PLAIN.has(line.split(/\s/, 1)[0]!)) &&
    effects.every(({ kind }) => kind !== "network" && kind !== "execute" && kind !== "harm")
  );
}

/**
 * What a plain command still has to be asked about inside these walls. Its kills reach processes of the sandbox only, and what it changes
 * outside the folders that can be written is refused by the kernel. What it does inside them is asked about as ever.
 * @param again Judges the command once more with what is held.
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
  // A path that the text does not fully show may be anywhere.
  if (effect.path === undefined || !/^\/[\w./ +@,=-]*$/.test(effect.path)) return false;
  try {
    const path = await files.resolve(effect.path);
    // Neither in such a folder nor above one.
    return sandbox.write.every((open) => within(path, open) === undefined && within(open, path) === undefined);
  } catch {
    return false; // It cannot be told where it leads.
  }
}
