import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * An HTTP server that requires authorization, and its authorization server, which admits anyone who comes by browser.
 */
export async function startMcpOAuth() {
  const challenges = new Map<string, string>();
  let token = randomUUID();
  let refresh = randomUUID();
  const seen = { registrations: 0, signIns: 0, refreshes: 0 };
  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin());
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const json = (status: number, value: unknown, headers = {}) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return json(200, { resource: `${origin()}/mcp`, authorization_servers: [origin()] });
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return json(200, {
        issuer: origin(),
        authorization_endpoint: `${origin()}/authorize`,
        token_endpoint: `${origin()}/token`,
        registration_endpoint: `${origin()}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    }
    if (pathname === "/register") {
      seen.registrations += 1;
      return json(201, { ...(JSON.parse(body) as object), client_id: "client-of-the-test" });
    }
    if (pathname === "/authorize") {
      const code = randomUUID();
      challenges.set(code, searchParams.get("code_challenge") ?? "");
      return void response
        .writeHead(302, {
          location: `${searchParams.get("redirect_uri")}?code=${code}&state=${searchParams.get("state")}`,
        })
        .end();
    }
    if (pathname === "/token") return json(...grant(new URLSearchParams(body)));
    if (pathname !== "/mcp" || request.method !== "POST") return void response.writeHead(405).end();
    if (request.headers.authorization !== `Bearer ${token}`)
      return json(
        401,
        { error: "invalid_token" },
        { "www-authenticate": `Bearer resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"` },
      );
    const { id, method, params } = JSON.parse(body) as {
      readonly id?: number;
      readonly method: string;
      readonly params?: { readonly protocolVersion?: string };
    };
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1" },
      },
      "tools/list": {
        tools: [{ name: "secret", description: "Tells it.", inputSchema: { type: "object", properties: {} } }],
      },
      "tools/call": { content: [{ type: "text", text: "forty-two" }] },
    };
    return id === undefined
      ? void response.writeHead(202).end()
      : json(200, { jsonrpc: "2.0", id, result: results[method] ?? {} });
  });

  function grant(form: URLSearchParams): [number, object] {
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isCode = form.get("grant_type") === "authorization_code" && challenges.get(form.get("code") ?? "") === proof;
    const isRefresh = form.get("grant_type") === "refresh_token" && form.get("refresh_token") === refresh;
    if (!isCode && !isRefresh) return [400, { error: "invalid_grant" }];
    seen[isCode ? "signIns" : "refreshes"] += 1;
    token = randomUUID();
    refresh = randomUUID();
    return [200, { access_token: token, token_type: "Bearer", expires_in: 3600, refresh_token: refresh }];
  }

  function origin(): string {
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `${origin()}/mcp`,
    seen: seen as Readonly<typeof seen>,
    /** Invalidates the current token. */
    expire: () => void (token = randomUUID()),
    /** The refresh token is invalid too. */
    revoke: () => void ([token, refresh] = [randomUUID(), randomUUID()]),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
