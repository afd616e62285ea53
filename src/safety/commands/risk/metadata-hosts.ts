/** Where a cloud hands a machine its own credentials. */
const METADATA = new Set(
  "169.254.169.254 169.254.170.2 169.254.170.23 100.100.100.200 168.63.129.16 192.0.0.192 metadata.google.internal metadata metadata.goog metadata.azure.com metadata.tencentyun.com [fd00:ec2::254] [fd20:ce::254]".split(
    " ",
  ),
);

/** `host` as a URL has it, IPv6 in brackets. */
export function isMetadataHost(host: string): boolean {
  return (
    METADATA.has(host.toLowerCase()) ||
    host.includes("169.254.169.254") ||
    host.includes("169-254-169-254") ||
    host.startsWith("[::ffff:a9fe:")
  );
}

/** Whether one of them stands anywhere in a word, as in `--connect-to ::169.254.169.254:`. */
export function holdsMetadata(text: string): boolean {
  return /(?<![\d.])(?:169\.254\.169\.254|169\.254\.170\.(?:2|23)|100\.100\.100\.200)(?![\d.])|fd00:ec2::254|metadata\.google\.internal/i.test(
    text,
  );
}

/** Whether a text, which may be a URL or only a host, names a cloud metadata service. */
export function namesMetadata(text: string): boolean {
  const address = /^[a-z][\w+.-]*:\/\//i.test(text)
    ? text
    : `http://${/:.*:/.test(text) && !text.startsWith("[") ? `[${text}]` : text}`;
  return URL.canParse(address) && isMetadataHost(new URL(address).hostname.replace(/\.$/, ""));
}
