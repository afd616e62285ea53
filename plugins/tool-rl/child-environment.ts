import { delimiter, dirname } from "node:path";
import { plainEnvironment } from "hermes-agent/terminal";

/** Where models and graphics cards are found. */
const OWN = ["HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "HF_ENDPOINT", "CUDA_VISIBLE_DEVICES"];

/** What a program of the checkout gets of the agent's environment: nobody's secrets, and the programs beside its Python first. */
export function childEnvironment(
  python: string,
  more: { readonly [name: string]: string } = {},
): { readonly [name: string]: string } {
  const plain = plainEnvironment();
  const own = OWN.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  return {
    ...plain,
    ...Object.fromEntries(own),
    PATH: `${dirname(python)}${delimiter}${plain["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"}`,
    PYTHONUNBUFFERED: "1",
    ...more,
  };
}
