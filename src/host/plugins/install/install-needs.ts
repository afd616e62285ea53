import { UserError } from "../../../contract/common/failure.ts";
import { readNeed } from "../packages/python-needs.ts";
import { runProgram, type ProgramRun } from "./run-program.ts";

export interface NeedsRun extends ProgramRun {
  /** The user agreed to build packages without a wheel, which runs their code. */
  readonly build?: boolean;
}

/** A package does not support the environment's Python version. */
export class OtherPythonNeeded extends UserError {}

/**
 * Installs packages of an index into an environment. Unpacks wheels without running them. Builds a package that has
 * only its source if the user agreed.
 */
export async function installNeeds(
  python: string,
  needs: readonly string[],
  run: NeedsRun,
  options: readonly string[] = [],
): Promise<void> {
  for (const need of needs) {
    // Refuses what pip reads as an option or fetches from a URL: it is not a package of the index.
    if (readNeed(need) === undefined)
      throw new UserError(`"${need}" is not a package of an index, so it is not installed.`, {
        hint: "Check it, and install it with pip yourself.",
      });
  }
  const install = (...sources: readonly string[]): Promise<string> =>
    runProgram(
      "python3",
      [
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-input",
        "--disable-pip-version-check",
        "--no-compile",
        ...sources,
        ...options,
        "--",
        ...needs,
      ],
      forPip(run),
    );
  try {
    await install("--only-binary=:all:");
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : "";
    if (!/No matching distribution found for|ResolutionImpossible|requires a different Python/.test(text)) throw cause;
    if (run.build === true) await install("--prefer-binary");
    else throw await noWheel(text, needs, run, cause);
  }
}

/** A package's build gets no tokens of other programs. */
function forPip(run: ProgramRun): ProgramRun {
  const { NPM_TOKEN: _, NODE_AUTH_TOKEN: __, SSH_AUTH_SOCK: ___, ...env } = run.env;
  return { ...run, env };
}

const OWN_CODE = "Hermes does not build a source package without your consent, because the build runs its code.";
const BUILD =
  "--build builds it here, with your permissions. To use wheels that you built yourself, set PIP_FIND_LINKS to their folder.";

async function noWheel(text: string, needs: readonly string[], run: ProgramRun, cause: unknown): Promise<UserError> {
  const other = /different python(?: version)?: (.+)/i.exec(text)?.[1]?.trim();
  if (other !== undefined)
    return new OtherPythonNeeded(`Cannot install ${needs.join(", ")}: it needs another Python version: ${other}`, {
      hint: "Put a matching Python on PATH (python3.12, python3.13 and so on); Hermes uses the oldest that fits.",
      cause,
    });
  const name = /No matching distribution found for (.+)/.exec(text)?.[1]?.trim();
  if (name === undefined) {
    const command = `python3 -m pip install --dry-run --only-binary=:all: ${needs.map((need) => `'${need}'`).join(" ")}`;
    return new UserError(
      `Cannot install ${needs.join(", ")}: the requirements conflict, or a dependency has no wheel for this Python. ${OWN_CODE}`,
      { hint: `${BUILD} To see which is missing, run: ${command}`, cause },
    );
  }
  if (/Retrying|ConnectionError|SSLError|Could not fetch URL/.test(text))
    return new UserError(`Cannot install ${name}: the package index did not answer.`, { hint: text, cause });
  const others = /from versions: (?!none\))([^)]+)\)/.exec(text)?.[1]?.split(", ").slice(-5).join(", ");
  if (others !== undefined)
    return new UserError(`${name} has no wheel for this Python. It has wheels for: ${others}. ${OWN_CODE}`, {
      hint: BUILD,
      cause,
    });
  if (await hasSource(name, run))
    return new UserError(`Cannot install ${name}: it has no wheel for this Python, only its source. ${OWN_CODE}`, {
      hint: BUILD,
      cause,
    });
  return new UserError(`Cannot install ${name}: the package index has no version for this Python.`, {
    hint: "If the plugin is published elsewhere, install it from owner/repo, a Git URL, a folder or a .tar.gz.",
    cause,
  });
}

/** Asks the index by name; fetches nothing. */
async function hasSource(name: string, run: ProgramRun): Promise<boolean> {
  const asked = readNeed(name);
  if (asked === undefined) return false;
  return runProgram(
    "python3",
    ["-m", "pip", "index", "versions", "--disable-pip-version-check", "--pre", "--", asked.name],
    forPip(run),
  ).then(
    () => true,
    () => false,
  );
}
