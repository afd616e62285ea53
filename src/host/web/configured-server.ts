import type { Json } from "../../contract/common/json.ts";

/** A server whose address the user wrote into `config.yaml`, and the stored secrets next to it. */
export interface ConfiguredServer {
  readonly origin: string;
  readonly own: readonly { readonly value: string; readonly hosts: readonly string[] }[];
}

/** @param path Of the setting that holds the address. `undefined` where none is written there. */
export function configuredServer(
  ports: { config(path: string): Json | undefined; secrets(): readonly string[] },
  path: string,
): ConfiguredServer | undefined {
  const address = ports.config(path);
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const { origin, hostname } = new URL(address);
  return {
    origin,
    own: secretsIn(ports, path.slice(0, path.lastIndexOf("."))).map((value) => ({ value, hosts: [hostname] })),
  };
}

/** Stored secrets that the user wrote into this part of `config.yaml`. */
export function secretsIn(
  ports: { config(path: string): Json | undefined; secrets(): readonly string[] },
  path: string,
): readonly string[] {
  const texts = textsIn(ports.config(path));
  return ports.secrets().filter((secret) => texts.some((text) => text.includes(secret)));
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((item) => textsIn(item as Json))
    : [];
}
