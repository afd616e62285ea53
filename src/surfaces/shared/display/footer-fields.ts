import type { App } from "../../../contract/services/app.ts";

export type FooterField = "model" | "context_pct" | "cwd";

/** The fields of the status line under a platform's answers; `undefined` if it is off. */
export function footerFields({ config }: Pick<App, "config">, platform: string): readonly FooterField[] | undefined {
  const setting = (key: string) =>
    config.get(`display.platforms.${platform}.runtime_footer.${key}`) ?? config.get(`display.runtime_footer.${key}`);
  const fields = setting("fields");
  return setting("enabled") === true && Array.isArray(fields) ? (fields as readonly FooterField[]) : undefined;
}
