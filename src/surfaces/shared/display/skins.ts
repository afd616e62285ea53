import type { App } from "../../../contract/services/app.ts";
import type { Skin } from "../../../contract/services/skin.ts";

/** The built-in skins. `default` uses the terminal's palette, which fits every background. */
const BUILT_IN: readonly Skin[] = [
  { name: "default", description: "the terminal's colours", colors: {} },
  {
    name: "mono",
    description: "no colours, on any background",
    colors: {
      ui_accent: "bold",
      ui_label: "italic",
      ui_ok: "bold",
      ui_warn: "bold",
      ui_error: "bold",
      banner_title: "bold",
    },
  },
  {
    name: "slate",
    description: "cool blues, on dark",
    colors: {
      ui_accent: "#7aa2f7",
      ui_label: "#a9b8e8",
      ui_ok: "#8fd3b6",
      ui_warn: "#e0c285",
      ui_error: "#f2849a",
      banner_title: "#9ec1ff",
      banner_dim: "#7d8aa5",
      input_rule: "#4a5878",
    },
  },
  {
    name: "ares",
    description: "crimson and bronze, on dark",
    colors: {
      ui_accent: "#e0605a",
      ui_label: "#d79a55",
      ui_ok: "#a9b665",
      ui_warn: "#e3a94f",
      ui_error: "#ff5a5a",
      banner_title: "#f0885f",
      banner_dim: "#a08575",
      input_rule: "#7a4038",
    },
  },
  {
    name: "poseidon",
    description: "deep water, on dark",
    colors: {
      ui_accent: "#4fc3d9",
      ui_label: "#8ad0e6",
      ui_ok: "#6fd6a8",
      ui_warn: "#e6cf7a",
      ui_error: "#f58a8a",
      banner_title: "#72dbe8",
      banner_dim: "#6f95a3",
      input_rule: "#2f6475",
    },
  },
  {
    name: "sisyphus",
    description: "stone greys, on dark",
    colors: {
      ui_accent: "#d0d0d0",
      ui_label: "#b8b8b8",
      ui_ok: "#c8d6c0",
      ui_warn: "#d8cfa8",
      ui_error: "#e0a8a8",
      banner_title: "#f0f0f0",
      banner_dim: "#8c8c8c",
      input_rule: "#5c5c5c",
    },
  },
  {
    name: "charizard",
    description: "embers, on dark",
    colors: {
      ui_accent: "#ff9a3c",
      ui_label: "#ffc46b",
      ui_ok: "#b8d45c",
      ui_warn: "#ffd24a",
      ui_error: "#ff6247",
      banner_title: "#ffb35c",
      banner_dim: "#a88b6c",
      input_rule: "#8a4f22",
    },
  },
  {
    name: "daylight",
    description: "dark text with blue, on light",
    colors: {
      ui_accent: "#1257b0",
      ui_label: "#7a3e00",
      ui_ok: "#1b6e2f",
      ui_warn: "#8a5a00",
      ui_error: "#b3261e",
      banner_title: "#0b3d91",
      banner_dim: "#5b6472",
      input_rule: "#9aa5b5",
    },
  },
  {
    name: "warm-lightmode",
    description: "browns and gold, on light",
    colors: {
      ui_accent: "#8a4b08",
      ui_label: "#6b4a00",
      ui_ok: "#4d6b1e",
      ui_warn: "#9a5b00",
      ui_error: "#a5281b",
      banner_title: "#6e3b00",
      banner_dim: "#7a6a55",
      input_rule: "#b79f7c",
    },
  },
];

/** All skins: the built-in ones, and those in files of the home, which override built-in ones of the same name. */
export class Skins {
  readonly #app: Pick<App, "skins">;
  #own: readonly Skin[] = [];

  constructor(app: Pick<App, "skins">) {
    this.#app = app;
  }

  /** Finds a skin as of the last read. */
  named(name: string): Skin | undefined {
    return this.#all().find((skin) => skin.name === name);
  }

  /** Its colours. On a light background, those of `default` are darker: yellow and cyan of most palettes are hard to read. */
  coloursOf(name: string, background: "dark" | "light" | undefined): Skin["colors"] {
    const own = this.named(name)?.colors ?? {};
    return name === "default" && background === "light" ? (this.named("daylight")?.colors ?? own) : own;
  }

  /** Reads the skin files. */
  async read(): Promise<readonly Skin[]> {
    this.#own = await this.#app.skins();
    return this.#all();
  }

  /** Reads the skin files only if this skin may need them, for a fast start. */
  async readFor(name: string): Promise<void> {
    if (name !== "default") await this.read();
  }

  #all(): readonly Skin[] {
    return [...BUILT_IN.filter(({ name }) => !this.#own.some((own) => own.name === name)), ...this.#own];
  }
}
