import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { rulesOf } from "../../safety/urls/blocklist.ts";
import type { WebPolicy } from "./fetch-ports.ts";

export interface UrlSettings {
  config(path: string): Json | undefined;
  /** Where a relative path of `shared_files` starts. */
  readonly home: string;
}

/**
 * What `security.allow_private_urls` and `security.website_blocklist` come to now.
 * @throws {ToolFailure} A shared list cannot be read: then nothing is fetched, since what it forbids is not known.
 */
export async function urlPolicy({ config, home }: UrlSettings): Promise<WebPolicy> {
  const list = config("security.website_blocklist");
  const {
    enabled,
    domains,
    shared_files: files,
  } = typeof list === "object" && list !== null && !Array.isArray(list) ? (list as JsonObject) : {};
  const rules =
    enabled === true
      ? [
          ...texts(domains),
          ...(await Promise.all(texts(files).map((file) => shared(isAbsolute(file) ? file : join(home, file))))).flat(),
        ]
      : [];
  return {
    allowPrivate: config("security.allow_private_urls") === true,
    blocklist: rules,
    proxyResolvesNames: config("security.proxy_resolves_names") === true,
  };
}

async function shared(file: string): Promise<readonly string[]> {
  try {
    return rulesOf(await readFile(file, "utf8"));
  } catch (cause) {
    throw new ToolFailure("blocked", `The website blocklist ${file} cannot be read, so nothing is fetched.`, {
      hint: "Correct security.website_blocklist.shared_files.",
      cause,
    });
  }
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
