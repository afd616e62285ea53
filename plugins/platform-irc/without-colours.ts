/** Removes colour codes of IRC clients. */
export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u0003(?:\d{1,2}(?:,\d{1,2})?)?|\u0004(?:[0-9a-fA-F]{6})?|[\u0000-\u001f\u007f]/g, "");
}
