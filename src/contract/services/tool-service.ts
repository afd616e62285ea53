import type { Availability } from "../common/availability.ts";
import type { Notice } from "../common/notice.ts";
import type { ToolDeclaration, ToolRole } from "../tools/tool.ts";
import type { Toolset } from "../tools/toolset.ts";

export interface ToolService {
  list(options: { readonly surface: string; readonly prompter: boolean }): Promise<readonly ToolListing[]>;
  get(name: string): ToolDeclaration | undefined;
  /** Name of the tool that has this role. */
  withRole(role: ToolRole): string | undefined;
  toolsets(): readonly (Toolset & { readonly resolved: readonly string[]; readonly enabled: boolean })[];
  /** Names of toolsets or tools, kept in `config.yaml` for the surface's platform; none of them when one is neither. */
  enable(names: readonly string[], surface: string): Promise<void>;
  disable(names: readonly string[], surface: string): Promise<void>;
  /** Settings of this surface's tools that name what is neither a toolset nor a tool. */
  misnamed(surface: string): readonly Notice[];
}

export interface ToolListing {
  readonly declaration: ToolDeclaration;
  readonly owner: string;
  readonly enabled: boolean;
  readonly availability: Availability;
}
