/** `gpt-5 by openai`; a server of one's own has no name, so of it where it is. */
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
