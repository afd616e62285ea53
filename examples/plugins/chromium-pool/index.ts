import { ToolFailure, type BrowserProvider, type Plugin, type PluginContext } from "hermes-agent/plugin";

/** Browsers of a pool: `POST /sessions` starts one, `DELETE /sessions/ID` ends it. */
export function chromiumPool({ env, fetch }: Pick<PluginContext, "env" | "fetch">): BrowserProvider {
  const ask = (method: "POST" | "DELETE", path: string) =>
    fetch(`${env("CHROMIUM_POOL_URL")}${path}`, {
      method,
      headers: { authorization: `Bearer ${env("CHROMIUM_POOL_TOKEN")}` },
      maxRedirects: 0,
      timeoutMs: 60_000,
      signal: AbortSignal.timeout(60_000),
    });
  const end = async (id: string): Promise<boolean> => {
    const { status } = await ask("DELETE", `/sessions/${encodeURIComponent(id)}`);
    return status === 204 || status === 404;
  };
  return {
    name: "chromium-pool",
    display_name: "Chromium pool",
    is_available: () => env("CHROMIUM_POOL_URL") !== undefined && env("CHROMIUM_POOL_TOKEN") !== undefined,
    async create_session(task_id) {
      const reply = await ask("POST", "/sessions");
      if (reply.status !== 201)
        throw new ToolFailure("unavailable", `The pool has no free browser: it answered ${reply.status}.`);
      const { id, address } = (await reply.json()) as { readonly id: string; readonly address: string };
      return { session_name: `hermes_${task_id}`, bb_session_id: id, cdp_url: address, features: {} };
    },
    close_session: (id) => end(id).catch(() => false),
    emergency_cleanup: (id) =>
      end(id).then(
        () => undefined,
        () => undefined,
      ),
    get_setup_schema: () => ({
      name: "Chromium pool",
      badge: "local",
      tag: "your own machine",
      env_vars: [
        { key: "CHROMIUM_POOL_URL", prompt: "Address of the pool" },
        { key: "CHROMIUM_POOL_TOKEN", prompt: "Its token" },
      ],
    }),
  };
}

const register: Plugin = (ctx) => {
  ctx.register_browser_provider(chromiumPool(ctx));
};

export default register;
