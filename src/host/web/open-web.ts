import type { EnvNeed } from "../../contract/common/availability.ts";
import type { Json } from "../../contract/common/json.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import type { GuardedFetch, OpenProxy, OpenSocket, SocketOptions } from "../../contract/providers/web.ts";
import { configuredOrigin, configuredServer, secretsIn } from "./configured-server.ts";
import type { GrantedSecret } from "../../engine/approval/secret-handles.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface WebPorts {
  readonly home: string;
  config(path: string): Json | undefined;
  env(name: string): string | undefined;
  secrets(): readonly string[];
  declaredEnv(owner: string): readonly EnvNeed[];
  /** Where in the configuration the owner's own settings lie. */
  section(owner: string): string;
  /** The plugin that gives this provider of a slot. */
  providedBy(slot: SlotName, provider: string): string | undefined;
}

/** The way out as each owner may use it; its code is loaded with the first request. */
export function openWeb(ports: WebPorts): (owner: string, granted?: readonly GrantedSecret[]) => GuardedFetch {
  return (owner, granted = []) =>
    async (url, options) => {
      const [{ createFetch }, { urlPolicy }] = await Promise.all([
        import("./guarded-fetch.ts"),
        import("./url-policy.ts"),
      ]);
      const configured =
        options?.setting === undefined
          ? undefined
          : configuredServer(ports, `${ports.section(owner)}.${options.setting}`);
      const fetch = createFetch({
        policy: () => urlPolicy(ports),
        ...definedFields({
          privateOrigin:
            configured?.origin ??
            (options?.configured === undefined ? undefined : configuredOrigin(ports, owner, options.configured)),
        }),
        secrets: () => ports.secrets(),
        own: () => [...(configured?.own ?? []), ...granted, ...declaredBy(owner, ports)],
        proxy: (name) => ports.env(name),
      });
      return fetch(url, options);
    };
}

/** Opens WebSockets with the checks of `fetch`. */
export function openWebSockets(ports: WebPorts): (owner: string) => OpenSocket {
  return (owner) => async (url, options) => {
    const [{ createSocket }, { urlPolicy }] = await Promise.all([
      import("./guarded-socket.ts"),
      import("./url-policy.ts"),
    ]);
    const ofProvider = ({ slot, provider }: NonNullable<SocketOptions["signed"]>) => {
      const by = ports.providedBy(slot, provider);
      return by === undefined
        ? []
        : [...declaredBy(by, ports), ...secretsIn(ports, ports.section(by)).map((value) => ({ value }))];
    };
    return createSocket({
      policy: () => urlPolicy(ports),
      secrets: () => ports.secrets(),
      own: () => declaredBy(owner, ports),
      ofProvider,
      proxy: (name) => ports.env(name),
    })(url, options);
  };
}

/** The reported request of a call: without the session's key. */
export function sourceOf(url: string, { signed }: SocketOptions = {}): string {
  return signed === undefined ? String(url) : (URL.parse(url)?.origin ?? "");
}

function declaredBy(
  owner: string,
  ports: WebPorts,
): readonly (Pick<GrantedSecret, "value"> & Partial<GrantedSecret>)[] {
  return ports.declaredEnv(owner).flatMap(({ name, hosts }) => {
    const value = ports.env(name);
    return value === undefined ? [] : [{ value, hosts }];
  });
}

/** Opens an HTTP proxy with the checks of `fetch`. Its code is loaded at the first use. */
export function openWebProxy(ports: WebPorts): OpenProxy {
  return async (options) => {
    const [{ createProxy }, { urlPolicy }] = await Promise.all([
      import("./guarded-proxy.ts"),
      import("./url-policy.ts"),
    ]);
    return createProxy(
      { policy: () => urlPolicy(ports), secrets: () => ports.secrets(), proxy: (name) => ports.env(name) },
      options,
    );
  };
}
