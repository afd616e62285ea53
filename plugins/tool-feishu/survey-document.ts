import { objectOf } from "hermes-agent/plugin";
import { askFeishu, type FeishuPorts } from "./feishu-api.ts";
import { readCall, type FeishuInput, type FeishuTool } from "./read-call.ts";

/** The title of a document, for the approval prompt. If it cannot be looked up, the prompt shows the token. */
export async function surveyDocument(
  tool: FeishuTool,
  given: FeishuInput,
  ports: FeishuPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { token, type } = readCall(tool, given).document;
  const place = PLACES[type];
  if (place === undefined) return [];
  try {
    const { path, query, under } = place(token);
    const { title } = objectOf(
      (await askFeishu({ method: "GET", path, query, repeatable: true }, ports, signal))[under],
    );
    return typeof title === "string" && title.trim() !== ""
      ? [`document ${token}: “${title.replaceAll(/\s+/g, " ").trim().slice(0, 200).toWellFormed()}”`]
      : [];
  } catch {
    return []; // The call will fail with the reason.
  }
}

const PLACES: {
  readonly [type: string]: (token: string) => {
    readonly path: string;
    readonly query?: { readonly token: string };
    readonly under: string;
  };
} = {
  docx: (token) => ({ path: `/open-apis/docx/v1/documents/${token}`, under: "document" }),
  wiki: (token) => ({ path: "/open-apis/wiki/v2/spaces/get_node", query: { token }, under: "node" }),
};
