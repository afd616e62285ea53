import type { UrlPolicy } from "../../safety/urls/judge-url.ts";
import type { ProxyVariables } from "../../safety/urls/proxy-choice.ts";

/** The part of `security.*` that holds for every request. */
export interface WebPolicy extends Pick<UrlPolicy, "allowPrivate" | "blocklist"> {
  /** A configured proxy gets names, which are not looked up here. */
  readonly proxyResolvesNames?: boolean;
}

/** Dependencies of the guarded requests, sockets and proxies. */
export interface FetchPorts {
  /** The current `security.*`; an unreadable policy throws, and nothing is fetched. */
  policy(): Promise<WebPolicy> | WebPolicy;
  /** Every stored value that may not leave. */
  secrets(): readonly string[];
  /**
   * Secrets that the caller declared, and where it may send them. Without hosts: in headers to any host; with hosts,
   * also in a body and in the address.
   */
  own?(): readonly { readonly value: string; readonly hosts?: readonly string[] }[];
  /**
   * `https://host:port` of the user's own server: its host may be private and may redirect to itself. Redirects
   * elsewhere are checked like any other.
   */
  readonly privateOrigin?: string;
  readonly proxy: ProxyVariables;
  /** All addresses of a name. Default: the system's resolver. */
  lookup?(host: string): Promise<readonly string[]>;
}
