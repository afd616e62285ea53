import { absolutePath } from "../paths/absolute-path.ts";
import { followLinks } from "../paths/follow-links.ts";
import { judgePath } from "../paths/paths.ts";
import { type Answerer, textOf, WrongQuestion } from "./question.ts";

/** Documentation, headers and libraries that a system ships: the same on every machine. */
const PUBLIC = ["share", "include", "lib", "lib64", "src", "local/share", "local/include", "local/lib"].map(
  (name) => `/usr/${name}`,
);

/**
 * `{path, operation: read | write, workspace}` → `{verdict: allowed | blocked, reason, resolved}`: may a file tool that
 * is kept to the workspace touch it?
 */
export const answerPath: Answerer = async (question, here) => {
  const path = textOf(question, "path")!;
  const access = textOf(question, "operation")!;
  if (access !== "read" && access !== "write")
    throw new WrongQuestion(`"operation" must be "read" or "write", not "${access}"`);
  const home = textOf(question, "home", "optional") ?? here.home;
  const workspace = textOf(question, "workspace", "optional") ?? here.cwd;
  try {
    const literal = absolutePath(path, workspace, home, here.homeOf);
    const real = await followLinks(literal, here.readLink);
    const root = await followLinks(absolutePath(workspace, here.cwd, home), here.readLink);
    const judged = judgePath({
      path: real,
      literal,
      access,
      home,
      roots: [root, workspace, ...(access === "read" ? PUBLIC : [])],
    });
    // The tools ask this of the file they have opened.
    if (judged.answer === "allow" && (await here.isSpecial(real)))
      return { verdict: "blocked", reason: `${real} is not a regular file.`, resolved: real };
    return { verdict: judged.answer === "allow" ? "allowed" : "blocked", reason: judged.reason, resolved: real };
  } catch (error) {
    return { verdict: "blocked", reason: error instanceof Error ? error.message : String(error) };
  }
};
