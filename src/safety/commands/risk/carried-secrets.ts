import { zonesOf } from "../../paths/path-zones.ts";
import { isPrivateFile, isSecretFile } from "../../secrets/secret-files.ts";
import type { Call } from "../evaluate/call.ts";
import { hasMark, readable } from "../parse/marks.ts";

/** A file here that holds a secret, by where it lies or what it is called. */
export function holdsSecret(file: string, call: Call): boolean {
  return call.by.paths(file, call.state).some((path) => isSecretPlace(path, call.by.home) || isPrivateFile(path));
}

function isSecretPlace(path: string, home: string): boolean {
  const zones = zonesOf(path, { home });
  return (
    (zones.has("credentials") && !zones.has("public-key")) || zones.has("project-env") || zones.has("agent-secret")
  );
}

/** Programs whose words are places, and verbs that say so of any other. */
const COPIERS = /^(scp|sftp|rsync|pscp|lxc-copy|virt-copy-out|virt-cat)$/;
const COPIES = /^(cp|copy|scp|rsync|pull|transfer|copy-out|copy-from|download)$/;
const ELSEWHERE = /^(?:[\w.@-]+\/)?(?:[\w.@-]+|\[[0-9a-f:]+\]):(?!\/\/)(.+)$/i;

/**
 * Secrets copied here from another machine or a container: `scp host:.ssh/id_ed25519 .`, `kubectl cp pod:/run/secrets/x
 * .`.
 */
export function takesSecrets(call: Call): void {
  const words = call.args.filter((word) => !word.startsWith("-"));
  const verb = COPIERS.test(call.program) ? -1 : words.findIndex((word, at) => at < 4 && COPIES.test(word));
  if (verb === -1 && !COPIERS.test(call.program)) return;
  const places = words.slice(verb + 1);
  // `lxc file pull web/etc/shadow .`
  const ofContainer = /^(lxc|incus)$/.test(call.program) && words[0] === "file";
  for (const place of places.length > 1 ? places.slice(0, -1) : places) {
    const path = ofContainer ? /^(?:[\w-]+:)?[\w-]+(\/.+)$/.exec(place)?.[1] : ELSEWHERE.exec(place)?.[1];
    if (path === undefined || hasMark(path)) continue;
    const full = path.startsWith("/") ? path : `/home/there/${path.replace(/^~\w*\//, "")}`;
    if (isSecretPlace(full, "/home/there") || isSecretFile(full)) {
      call.by.harm("secret-read", `${call.program} takes ${readable(place)}`);
      return;
    }
  }
}
