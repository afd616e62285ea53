import type { Statement } from "unbash";

/** `"$0"`, `bash "$0"`: the script starts itself again. */
export function runsItself(node: Statement["command"]): boolean {
  if (node.type !== "Command") return false;
  const [first = "", second = ""] = [node.name, ...node.args].map((word) =>
    word !== undefined && "text" in word ? String(word.text).replaceAll('"', "") : "",
  );
  const self = /^(\$\{?(0|BASH_SOURCE)\}?|\/proc\/self\/exe)$/;
  return (
    self.test(first) || (/^(\S*\/)?(ba|z|da|k)?sh$|^(exec|source|\.|nohup|setsid)$/.test(first) && self.test(second))
  );
}
