import type { App } from "../../../contract/services/app.ts";
import type { Check } from "../../../contract/common/check.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { hanging } from "../../shared/display/hanging-indent.ts";
import { asTyped } from "../../shared/process/called-as.ts";

export async function doctor({ io, open }: Call, options: { readonly json?: boolean }): Promise<number> {
  const app = await open("for-repair");
  const parts = [...(await app.doctor()), ...(await keyChecks(app)), ...(await chatChecks(app))];
  const checks = [...parts, ...noticeChecks(app, parts)];
  const failed = checks.filter(({ ok }) => !ok);
  if (options.json) io.out(`${JSON.stringify(checks, null, 2)}\n`);
  else {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, ok, detail, hint } of checks) {
      io.out(
        hanging(
          io,
          `${ok ? io.styleOut("green", "✓") : io.styleOut("red", "✗")} ${name.padEnd(width)}  `,
          asTyped(detail),
        ),
      );
      if (!ok && hint !== undefined)
        io.out(io.styleOut("yellow", hanging(io, `  ${" ".repeat(width)}  `, asTyped(hint))));
    }
    io.out(
      failed.length === 0
        ? "\nAll checks passed.\n"
        : `\n${failed.length} of ${checks.length} checks need attention.\n`,
    );
  }
  return failed.length === 0 ? EXIT.ok : EXIT.failed;
}

/** The notices that no check reports, because one-shots print each only once a day. */
function noticeChecks(app: App, checks: readonly Check[]): readonly Check[] {
  const all = [...app.notices, ...app.hooks.notices()];
  const unique = all.filter(({ text }, at) => all.findIndex((one) => one.text === text) === at);
  return unique
    .filter(({ text }) => !checks.some(({ detail }) => text.includes(detail) || detail.includes(text)))
    .map(({ level, text, hint }) => ({ name: "notice", ok: level === "info", detail: text, hint }));
}

/** Checks `keybindings.json`, if the user has one. */
async function keyChecks(app: App): Promise<readonly Check[]> {
  const { KEYS_FILE, readUserKeys } = await import("../interactive/keys/user-keys.ts");
  const { keys, notices } = await readUserKeys(app.home);
  if (keys.size === 0 && notices.length === 0) return [];
  if (notices.length === 0) return [{ name: "keys", ok: true, detail: `${KEYS_FILE} is valid` }];
  return notices.map(({ text, hint }) => ({ name: "keys", ok: false, detail: text, hint }));
}

/** Checks the chat platforms, the memory provider and the context engine that the user has begun to set up. */
async function chatChecks(app: App): Promise<readonly Check[]> {
  const { gatewayStatus } = await import("../../shared/gateway/gateway-status.ts");
  const { running, platforms, unusable } = await gatewayStatus(app);
  const others = unusable.map(({ what, lack, hint }): Check => ({
    name: what,
    ok: false,
    detail: lack,
    hint,
  }));
  const chats = platforms
    .filter(({ configured, state }) => configured && state !== "off")
    .map(({ name, state, lacks, help }): Check => {
      const ok = lacks.length === 0;
      return {
        name: `chats/${name}`,
        ok,
        detail: ok ? (running ? state : `${state}; the gateway is not running`) : lacks.join("; "),
        hint: ok ? undefined : (help ?? "`hermes setup gateway` asks for the missing settings."),
      };
    });
  return [...chats, ...others];
}
