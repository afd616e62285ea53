const CREDENTIAL = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)|(KEY|TOKEN|SECRET|PASSWORD)$/i;

/** True for names such as OPENAI_API_KEY, GH_TOKEN, AWS_SECRET_ACCESS_KEY. */
export function looksLikeCredential(name: string): boolean {
  return CREDENTIAL.test(name);
}

/**
 * Variables of this machine that a place elsewhere is given: those that `terminal.env_passthrough` names, and no other.
 * Names that look like a credential never pass, named or not.
 */
export function declaredVariables(passthrough: unknown, from: NodeJS.ProcessEnv): Record<string, string> {
  const names = Array.isArray(passthrough)
    ? passthrough.filter((name): name is string => typeof name === "string" && /^[A-Za-z_]\w*$/.test(name))
    : [];
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined || looksLikeCredential(name) ? [] : [[name, from[name]]])),
  );
}
