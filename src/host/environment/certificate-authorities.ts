import { readFileSync } from "node:fs";
import type { Notice } from "../../contract/common/notice.ts";
import { systemReason } from "../../contract/common/system-reason.ts";
import type { EnvironmentVariables } from "./environment.ts";

/** Node.js reads NODE_EXTRA_CA_CERTS of the process itself at its start, and knows no SSL_CERT_FILE. */
const NAMES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"] as const;

/**
 * Trusts the certificate authorities in the files that `.env` or the environment names, besides the usual ones. To be
 * called before the first connection. @returns A notice for each file that cannot be used.
 */
export async function trustNamedAuthorities(environment: EnvironmentVariables): Promise<readonly Notice[]> {
  const files = NAMES.flatMap((name) => {
    const file = environment.get(name);
    const isNodes = name === "NODE_EXTRA_CA_CERTS" && environment.source(name) === "process";
    return file === undefined || isNodes ? [] : [{ name, file }];
  });
  if (files.length === 0) return [];
  const { getCACertificates, setDefaultCACertificates } = await import("node:tls");
  const notices: Notice[] = [];
  const authorities = files.flatMap(({ name, file }) => {
    try {
      const found = readFileSync(file, "utf8").match(CERTIFICATE) ?? [];
      if (found.length === 0) throw new Error("it has no certificate in PEM form");
      return found;
    } catch (cause) {
      notices.push({
        level: "error",
        text: `The certificates of ${name}=${file} are not used: ${systemReason(cause) ?? (cause as Error).message}.`,
        hint: "Name a readable file of certificates in PEM form.",
      });
      return [];
    }
  });
  try {
    if (authorities.length > 0) setDefaultCACertificates([...getCACertificates("default"), ...authorities]);
  } catch (cause) {
    notices.push({
      level: "error",
      text: `The certificates of ${files.map(({ file }) => file).join(" and ")} are not used: ${(cause as Error).message}.`,
    });
  }
  return notices;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;
