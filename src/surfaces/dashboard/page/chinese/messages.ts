export function translated(_english: string): string | undefined {
  return undefined;
}
