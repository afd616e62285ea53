/** File names of secrets of projects and programs, at any path. */
const SECRET_NAMES = [
  /\.(key|tfstate(\.backup)?)$/,
  /^(priv(ate)?[-_]?key|privkey\d*|key|[\w.-]*[-_.](key|private|priv))\.(pem|der|p8|pk8)$/,
  /^(secrets?|credentials?|passwords?|passwd|api[-_]?keys?|access[-_]?keys?|tokens?)\.(ya?ml|json|toml|env|ini|txt|conf|cfg|csv|properties|xml|tfvars|enc|plist)$/,
  /^(service[-_]?account|gcp[-_]?key|firebase[-_]?admin\w*|client[-_]?secrets?|application_default_credentials)[\w.-]*\.json$/,
  /^(vault[-_]?pass(word)?|\.?vault_pass|unseal[-_]?keys?|root[-_]?token|kubeconfig|\.htpasswd|\.pgpass|\.my\.cnf|recovery[-_]?codes?|seed[-_]?phrase|mnemonic|wallet)(\.\w+)?$/,
  /\.(keytab|ovpn|p8|pk8|kirbi|ccache)$/,
];
/** Credentials that programs store in their folder of a home: `~/.config/x/auth.json`. */
const SIGNED_IN =
  /\/\.(config|local\/share|local\/state)\/[^/]+\/(.*\/)?(auth|credentials?|tokens?|secrets?|session|cookies|login|oauth\w*)(\.\w+)?$|\/\.[\w-]+\/(auth|credentials?|tokens?|secrets?)(\.(json|ya?ml|toml|db))?$/;
/** Not the thing itself: examples, tests, what a project makes to be read. */
const SHOWN =
  /(^|[/._-])(tests?|specs?|fixtures?|examples?|samples?|mocks?|dummy|fake|demos?|docs?|templates?|dist|schema|node_modules|pub|public|testdata|stories|placeholder|encrypted|sealed|enc)([/._-]|$)/;
/** These are secrets when sent elsewhere; developers of the project read them all day. */
const RETAINED_HERE =
  /(^|\/)([\w.-]*\.tfvars|wp-config\.php|database\.ya?ml|settings_local\.py|local_settings\.py|appsettings\.\w+\.json|\.htpasswd|docker-compose\.override\.ya?ml|inventory\.ini|dump\.rdb|[\w.-]*\.(pcapng?|dmp|core|kdbx|pem|key))$/;

/** A file that is named like a store of secrets. */
export function isSecretFile(path: string): boolean {
  const lower = path.toLowerCase();
  if (SHOWN.test(lower.replace(/\.enc$/, ".sealed"))) return false;
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return SECRET_NAMES.some((looks) => looks.test(name)) || SIGNED_IN.test(lower);
}

/** A file that would do harm in the wrong hands. */
export function isPrivateFile(path: string): boolean {
  return isSecretFile(path) || (RETAINED_HERE.test(path.toLowerCase()) && !SHOWN.test(path.toLowerCase()));
}
