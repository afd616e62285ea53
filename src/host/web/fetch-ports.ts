import type { UrlPolicy } from "../../safety/urls/judge-url.ts";
import type { ProxyVariables } from "./proxy.ts";

/** What the guarded ways out, for requests, sockets and programs, are given. */
export interface FetchPorts {
  /** `security.*` as it is now; a policy that cannot be read throws, and nothing is fetched. */
  policy(): Promise<Pick<UrlPolicy, "allowPrivate" | "blocklist">> | Pick<UrlPolicy, "allowPrivate" | "blocklist">;
  /** Every stored value that may not leave. */
  secrets(): readonly string[];
  /** What the asker declared and may send, and where: values of its own. No hosts: in headers to any; with hosts also in a body and in the address. */
  own?(): readonly { readonly value: string; readonly hosts?: readonly string[] }[];
  /** `https://host:port` of a server of the person's own: its host may be a private one, and may redirect to itself. Elsewhere a redirect leads where any other does. */
  readonly privateOrigin?: string;
  readonly proxy: ProxyVariables;
  /** All addresses of a name. Default: the system's resolver. */
  lookup?(host: string): Promise<readonly string[]>;
}
