import { join } from "node:path";
import { architecturePage } from "./architecture-page.ts";
import { cliPage } from "./cli-page.ts";
import { contentsPage } from "./contents-page.ts";
import { environmentPage } from "./environment-page.ts";
import { errorsPage } from "./errors-page.ts";
import { faultsPage } from "./faults-page.ts";
import { hooksPage } from "./hooks-page.ts";
import { keysPage, slashCommandsPage } from "./interactive-pages.ts";
import { originalPages } from "./original-page.ts";
import type { Page } from "./page.ts";
import { platformPage } from "./contracts/platform-page.ts";
import { pluginContextPage } from "./plugin-context-page.ts";
import { providersPage } from "./providers-page.ts";
import { readSnapshot, ROOT } from "./read-snapshot.ts";
import { readmeTables } from "./readme-tables.ts";
import { settingsInUse, settingsPage } from "./settings-page.ts";
import { readSkillTexts, skillPages, type SkillText } from "./skill-pages.ts";
import { terminalPage } from "./contracts/terminal-page.ts";
import { toolsPage } from "./tools-page.ts";
import { toolsetsPage } from "./toolsets-page.ts";

const BUNDLED = await readSkillTexts(join(ROOT, "skills"));

/** Every page of `docs/reference` that is generated from the code, and the READMEs, which have generated parts. */
export async function makePages(skills: readonly SkillText[] = BUNDLED): Promise<readonly Page[]> {
  const plugins = readSnapshot();
  const settings = settingsInUse(plugins);
  const pages = [
    toolsPage(plugins),
    toolsetsPage(plugins),
    hooksPage(),
    settingsPage(settings),
    environmentPage(plugins, settings),
    cliPage(),
    slashCommandsPage(),
    keysPage(),
    errorsPage(),
    faultsPage(),
    providersPage(plugins),
    pluginContextPage(),
    platformPage(),
    terminalPage(),
    ...skillPages(skills),
  ];
  return [
    ...pages,
    contentsPage(pages, skills),
    await architecturePage(),
    ...(await originalPages(plugins)),
    ...(await readmeTables()),
  ];
}
