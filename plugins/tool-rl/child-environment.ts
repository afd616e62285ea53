import { delimiter, dirname } from "node:path";
import { plainEnvironment } from "hermes-agent/terminal";

/** Variables that locate models and GPUs. */
const OWN = ["HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "HF_ENDPOINT", "CUDA_VISIBLE_DEVICES"];

/** The environment of the checkout's programs: no secrets, and the folder of its Python first in PATH. */
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
