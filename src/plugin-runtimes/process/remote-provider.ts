import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { PlatformConfig } from "../../contract/providers/platform.ts";
import type { PluginGrants } from "../../contract/plugins/plugin.ts";
import { pythonPlatform } from "../python/python-platform.ts";
import type { RemoteObjects } from "./remote-objects.ts";
import type { RemotePlugin } from "./remote-plugin.ts";
import { textAt } from "./text-at.ts";
import { isPlain, wireable } from "./wireable.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** Methods whose last argument is not a keyword object. */
const POSITIONAL: ReadonlySet<string> = new Set(["update_from_response"]);

/** The description of a provider in another process: its name, its data and its methods. */
interface Report {
  readonly handle: string;
  readonly data: JsonObject;
  readonly methods: readonly string[];
  readonly platform: boolean;
}

/**
 * A provider in a Python process: its methods take strings, numbers and lists; the last argument holds Python's
 * keywords.
 */
export function pythonProvider(message: JsonObject, remote: RemotePlugin): object {
  const { handle, data, methods, platform } = reportOf(message, remote.granted);
  const invoke = (method: string, args: readonly Json[], named: JsonObject, signal?: AbortSignal): Promise<Json> =>
    remote.call("provider.call", { handle, method, args, named }, signal === undefined ? {} : { signal });
  if (platform) return pythonPlatform(data, invoke, remote);
  const calls = methods.map((method) => [
    method,
    async (...given: readonly unknown[]): Promise<Json> => {
      const last = given.at(-1);
      if (POSITIONAL.has(method) || !isPlain(last)) return invoke(method, given as readonly Json[], {});
      return invoke(method, given.slice(0, -1) as readonly Json[], wireable(last), signalIn(given));
    },
  ]);
  return { ...data, invoke, ...Object.fromEntries(calls) };
}

/** A provider in a Node process: its methods take every type of the contract, including functions. */
export function nodeProvider(message: JsonObject, remote: RemotePlugin, objects: RemoteObjects): object {
  const { handle, data, methods, platform } = reportOf(message, remote.granted);
  const calls = [...methods, "invoke"].map((method) => [
    method,
    async (...given: readonly unknown[]): Promise<unknown> => {
      const { lost } = platform && method === "adapter_factory" ? (given[0] as PlatformConfig) : {};
      if (lost !== undefined) remote.whenGone(lost);
      const signal = signalIn(given);
      return objects.decode(
        await remote.call(
          "provider.call",
          { handle, method, values: objects.encode(given) },
          signal === undefined ? {} : { signal },
        ),
      );
    },
  ]);
  return { ...data, ...Object.fromEntries(calls) };
}

function reportOf(message: JsonObject, granted: PluginGrants | undefined): Report {
  const data = {
    ...(message["data"] as JsonObject),
    ...definedFields({
      cdp_hosts:
        message["slot"] === "browser" && granted !== undefined
          ? dialled(message["data"] as JsonObject, granted.hosts)
          : undefined,
    }),
  } as JsonObject;
  const label = textAt(message, "label");
  const id = textAt(message, "id");
  return {
    handle: textAt(message, "handle"),
    methods: Array.isArray(data["methods"]) ? data["methods"].map(String) : [],
    platform: message["slot"] === "platform",
    data: {
      ...data,
      ...(data["methods"] === undefined
        ? definedFields({ id, label: label === "" ? undefined : label })
        : definedFields({ name: id, display_name: label === "" ? undefined : label })),
    },
  };
}

/** The agent connects for it only to hosts that its process could reach: those it was granted and names itself. */
function dialled({ cdp_hosts }: JsonObject, granted: readonly string[]): readonly string[] {
  return Array.isArray(cdp_hosts) ? granted.filter((host) => cdp_hosts.includes(host)) : granted;
}

function signalIn(given: readonly unknown[]): AbortSignal | undefined {
  const last = given.at(-1);
  return isPlain(last) && last["signal"] instanceof AbortSignal ? last["signal"] : undefined;
}
