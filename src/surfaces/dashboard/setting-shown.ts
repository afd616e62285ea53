import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";

/** A setting as everybody may see it. `masked`: something else stands there than what is stored, so that it is no value to store. */
export function settingShown(app: App, path: string): { readonly value?: Json; readonly masked: boolean } {
  const value = shownOf(app, path);
  return value === undefined
    ? { masked: false }
    : { value, masked: [...masksIn(app.config.get(path), value)].length > 0 };
}

/** What a page was shown in the place of a secret must not take that place. @throws {UserError} */
export function refuseMasks(app: App, path: string, given: string): void {
  for (const mask of masksIn(app.config.get(path), shownOf(app, path))) {
    if (given.includes(mask))
      throw new UserError(`"${path}" holds a secret, and ${mask} would take its place.`, {
        hint: "Give the whole value, or change the file: hermes config edit.",
      });
  }
}

function shownOf(app: App, path: string): Json | undefined {
  const shown = app.config.shown(path);
  return shown === undefined
    ? undefined
    : (JSON.parse(
        JSON.stringify(shown, (_key, value: unknown) => (typeof value === "string" ? app.mask(value) : value)),
      ) as Json);
}

/** Texts that stand for others. Both values have the same shape. */
function* masksIn(stored: Json | undefined, shown: Json | undefined): Generator<string> {
  if (typeof shown === "string" && shown !== stored) yield shown;
  else if (Array.isArray(shown) && Array.isArray(stored))
    for (const [index, item] of shown.entries()) yield* masksIn(stored[index] as Json, item as Json);
  else if (isObject(shown) && isObject(stored)) for (const key in shown) yield* masksIn(stored[key], shown[key]);
}
