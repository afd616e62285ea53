/** Made when it is first asked for: a start that never asks does not pay for it. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
