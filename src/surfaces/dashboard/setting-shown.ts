import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";

/** A setting with secrets masked. `masked`: the value differs from the stored one, so it must not be stored. */
export function settingShown(app: App, path: string): { readonly value?: Json; readonly masked: boolean } {
  const value = shownOf(app, path);
  return value === undefined
    ? { masked: false }
    : { value, masked: [...masksIn(app.config.get(path), value)].length > 0 };
}

/** Refuses a value that contains a mask, which would replace the secret. @throws {UserError} */
export function refuseMasks(app: App, path: string, given: string): void {
  for (const mask of masksIn(app.config.get(path), shownOf(app, path))) {
    if (given.includes(mask))
      throw new UserError(`"${path}" contains a secret, and the mask ${mask} would replace it.`, {
        hint: "Enter the whole value, or edit the file: hermes config edit.",
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

/** The masks in a shown value. Both values have the same structure. */
function* masksIn(stored: Json | undefined, shown: Json | undefined): Generator<string> {
  if (typeof shown === "string" && shown !== stored) yield shown;
  else if (Array.isArray(shown) && Array.isArray(stored))
    for (const [index, item] of shown.entries()) yield* masksIn(stored[index] as Json, item as Json);
  else if (isObject(shown) && isObject(stored)) for (const key in shown) yield* masksIn(stored[key], shown[key]);
}
