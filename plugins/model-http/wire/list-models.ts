import { askedOf, headersOf, type Connection } from "./connection.ts";
import { readComplaint } from "./complaint.ts";
import { failureOf } from "./failure.ts";
import { send } from "./http.ts";
import { readJson } from "./read-json.ts";

/** Ids of the models in a listing, as the service orders them. Rejects with a sentence. */
export async function listModelsAt(
  url: string,
  connection: Connection,
  headers: { readonly [name: string]: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = askedOf(connection, "");
  const result = await send({
    service: asked.service,
    method: "GET",
    url,
    headers: headersOf(connection, { accept: "application/json", ...headers }),
    connectMs: 10_000,
    signal,
    proxy: connection.proxy,
  });
  if (result.kind === "failure") throw new Error(result.failure.message);
  if (result.reply.status !== 200) throw new Error(failureOf(await readComplaint(result.reply), asked).message);
  const listed = await readJson(result.reply);
  const { data, models } = (listed ?? {}) as { readonly data?: unknown; readonly models?: unknown };
  const rows = Array.isArray(listed) ? listed : (data ?? models);
  if (!Array.isArray(rows)) throw new Error(`${asked.service} did not return a list of models.`);
  return rows
    .map((row: { id?: unknown; name?: unknown } | string | null) =>
      typeof row === "string" ? row : (row?.id ?? row?.name),
    )
    .filter((id): id is string => typeof id === "string" && id !== "");
}
