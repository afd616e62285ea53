import type { Json } from "../../contract/json.ts";

/** A server whose address a person wrote into `config.yaml`, and the stored secrets they wrote beside it. */
export interface ConfiguredServer {
  readonly origin: string;
  readonly own: readonly { readonly value: string; readonly hosts: readonly string[] }[];
}

/** @param path Of the setting that holds the address. `undefined` where none is written there. */
export function configuredServer(ports: { config(path: string): Json | undefined; secrets(): readonly string[] }, path: string): ConfiguredServer | undefined {
  const address = ports.config(path);
  if (typeof address !== "string" || !URL.canParse(address)) return undefined;
  const { origin, hostname } = new URL(address);
  const beside = textsIn(ports.config(path.slice(0, path.lastIndexOf("."))));
  return { origin, own: ports.secrets().filter((secret) => beside.some((text) => text.includes(secret))).map((value) => ({ value, hosts: [hostname] })) };
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap((item) => textsIn(item as Json)) : [];
}
