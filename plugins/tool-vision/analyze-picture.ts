import { askAboutPicture, ToolFailure, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { fetchPicture } from "hermes-agent/terminal";

/** What the model that sees says about a picture. @throws {ToolFailure} with `success: false` and an empty `analysis` beside its words. */
export async function analyzePicture(
  place: string,
  question: string,
  call: ToolContext,
  ctx: Pick<PluginContext, "llm">,
): Promise<{ readonly success: true; readonly analysis: string }> {
  try {
    if (question.trim() === "") throw new ToolFailure("bad_arguments", "The question is empty.");
    const picture = await fetchPicture(place, call);
    call.progress("a model looks at it");
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
