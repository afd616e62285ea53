import type { App } from "../../../contract/services/app.ts";
import type { ModelService } from "../../../contract/services/model-service.ts";
import { UserError } from "../../../contract/common/failure.ts";

type ModelNow = Awaited<ReturnType<ModelService["current"]>>;

/**
 * The model in use, or why there is none. Commands that connect a model must also work when the configured one cannot
 * answer.
 */
export async function modelNow(app: App): Promise<ModelNow | { readonly offline: true; readonly problem: string }> {
  try {
    return await app.models.current();
  } catch (error) {
    if (error instanceof UserError) return { offline: true, problem: error.message };
    throw error;
  }
}
