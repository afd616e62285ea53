import { UserError } from "../../../contract/common/failure.ts";
import { readNeed } from "../packages/python-needs.ts";
import { runProgram, type ProgramRun } from "./run-program.ts";

export interface NeedsRun extends ProgramRun {
  /** A person agreed that packages without a wheel are built, which runs their code. */
  readonly build?: boolean;
}

/** A package does not run with the Python of the environment. */
export class OtherPythonNeeded extends UserError {}

/**
 * Installs packages of an index into an environment. Wheels are unpacked, and nothing of them runs; a package that is only there as its source
 * is left to a person's word.
 */
export async function installNeeds(
  python: string,
  needs: readonly string[],
  run: NeedsRun,
  options: readonly string[] = [],
): Promise<void> {
  for (const need of needs) {
    // What pip takes for an option, or fetches from an address of its own, is not an index's package.
    if (readNeed(need) === undefined)
      throw new UserError(`"${need}" is no package of an index, so it is not installed.`, {
        hint: "Look at it, and install it with pip yourself.",
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

/** Tokens of other programs are nobody's who is built. */
function forPip(run: ProgramRun): ProgramRun {
  const { NPM_TOKEN: _, NODE_AUTH_TOKEN: __, SSH_AUTH_SOCK: ___, ...env } = run.env;
  return { ...run, env };
}

const OWN_CODE = "A source package is not taken unasked: building one runs its code.";
const BUILD =
  "With --build it is built here, with your rights. Wheels that you built yourself are taken from the folder that PIP_FIND_LINKS names.";

async function noWheel(text: string, needs: readonly string[], run: ProgramRun, cause: unknown): Promise<UserError> {
  const other = /different python(?: version)?: (.+)/i.exec(text)?.[1]?.trim();
  if (other !== undefined)
    return new OtherPythonNeeded(`${needs.join(", ")} cannot be installed: it needs another Python: ${other}`, {
      hint: "Where python3.12, python3.13 and so on are on PATH, the oldest that fits is taken.",
      cause,
    });
  const name = /No matching distribution found for (.+)/.exec(text)?.[1]?.trim();
  if (name === undefined) {
    const command = `python3 -m pip install --dry-run --only-binary=:all: ${needs.map((need) => `'${need}'`).join(" ")}`;
    return new UserError(
      `${needs.join(", ")} cannot be installed: what its versions need does not go together, or is there without a wheel that fits this Python. ${OWN_CODE}`,
      { hint: `${BUILD} What is missing says: ${command}`, cause },
    );
  }
  if (/Retrying|ConnectionError|SSLError|Could not fetch URL/.test(text))
    return new UserError(`${name} cannot be installed: the index of packages did not answer.`, { hint: text, cause });
  const others = /from versions: (?!none\))([^)]+)\)/.exec(text)?.[1]?.split(", ").slice(-5).join(", ");
  if (others !== undefined)
    return new UserError(
      `There is no wheel of ${name} that fits this Python. There are wheels of: ${others}. ${OWN_CODE}`,
      { hint: BUILD, cause },
    );
  if (await hasSource(name, run))
    return new UserError(
      `${name} cannot be installed: there is no wheel of it that fits this Python, only its source. ${OWN_CODE}`,
      { hint: BUILD, cause },
    );
  return new UserError(
    `${name} cannot be installed: the index of packages has none of that name that fits this Python.`,
    {
      hint: "Perhaps it is elsewhere: a plugin is installed from owner/repo, a Git URL, a folder or a .tar.gz too.",
      cause,
    },
  );
}

/** Asks the index by name alone; nothing is fetched. */
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
