import type { Availability } from "./availability.ts";
import type { ToolDeclaration } from "./tool.ts";
import type { Toolset } from "./toolset.ts";

export interface ToolDesk {
  list(options: { readonly surface: string; readonly person: boolean }): Promise<readonly ToolListing[]>;
  get(name: string): ToolDeclaration | undefined;
  toolsets(): readonly (Toolset & { readonly resolved: readonly string[]; readonly enabled: boolean })[];
  /** A toolset or tool name, kept in `config.yaml` for the surface's platform. */
  enable(name: string, surface: string): Promise<void>;
  disable(name: string, surface: string): Promise<void>;
}

export interface ToolListing {
  readonly declaration: ToolDeclaration;
  readonly owner: string;
  readonly enabled: boolean;
  readonly availability: Availability;
}
