/** `gpt-5 by openai`. A custom server has no name, so show its address. */
export function modelAndServer({
  model,
  provider,
  baseUrl,
}: {
  readonly model: string;
  readonly provider: string;
  readonly baseUrl?: string | undefined;
}): string {
  return provider === "custom" && baseUrl !== undefined ? `${model} at ${baseUrl}` : `${model} by ${provider}`;
}
