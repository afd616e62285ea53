import type { EnvNeed } from "../../contract/common/availability.ts";
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

/**
 * Origin of the address that the user wrote into a variable or a setting; `undefined` if there is none, or if the owner
 * does not declare the variable.
 * @param place `SEARXNG_URL`, or `tts.openai.base_url`.
 */
export function configuredOrigin(
  ports: {
    config(path: string): Json | undefined;
    env(name: string): string | undefined;
    declaredEnv(owner: string): readonly EnvNeed[];
  },
  owner: string,
  place: string,
): string | undefined {
  const declared = () => ports.declaredEnv(owner).some(({ name }) => name === place);
  const address = place.includes(".") ? ports.config(place) : declared() ? ports.env(place) : undefined;
  if (typeof address !== "string" || address.trim() === "") return undefined;
  const url = URL.parse(address.includes("://") ? address.trim() : `https://${address.trim()}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
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
