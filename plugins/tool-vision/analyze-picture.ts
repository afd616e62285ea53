import { askAboutPicture, ToolFailure, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { fetchPicture } from "hermes-agent/terminal";

/**
 * Asks a vision model about a picture. @throws {ToolFailure} whose data has `success: false` and an empty `analysis`.
 */
export async function analyzePicture(
  place: string,
  question: string,
  call: ToolContext,
  ctx: Pick<PluginContext, "llm">,
): Promise<{ readonly success: true; readonly analysis: string }> {
  try {
    if (question.trim() === "") throw new ToolFailure("bad_arguments", "question is empty.");
    const picture = await fetchPicture(place, call);
    call.progress("analyzing the picture");
    return { success: true, analysis: await askAboutPicture(ctx, call, picture, question) };
  } catch (cause) {
    if (!(cause instanceof ToolFailure) || call.signal.aborted) throw cause;
    throw new ToolFailure(cause.code, cause.message, {
      cause,
      data: { success: false, analysis: "" },
      hint: cause.hint,
    });
  }
}
