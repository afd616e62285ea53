import type { Process } from "hermes-agent/plugin";

/** The first line that a helper prints. @param none The error to throw when it ends without one. */
export async function firstLine(helper: Process, none: () => Error): Promise<string> {
  const line = Promise.withResolvers<string>();
  const look = () => {
    const { text } = helper.output();
    if (text.includes("\n")) line.resolve(text.slice(0, text.indexOf("\n")));
  };
  using _ = helper.onOutput(look);
  look();
  void helper.ended.then(() => line.reject(none()));
  return await line.promise;
}
