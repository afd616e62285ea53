const SHORTEST = 16;
/** Example values, such as `your-api-key`, that users forget to replace; without punctuation, in lower case. */
const PLACEHOLDERS = new Set(
  "changemechangeme changemeplease pleasechangeme replaceme replacewithyourkey yourapikey yourapikeyhere yourkeyhere yoursecretkey yoursecretkeyhere yoursecretapikey yoursecrethere yourapiserverkey yourapiserverkeyhere mysecretkey mysecretapikey secretsecretsecret placeholder placeholderkey placeholderapikey exampleapikey examplesecretkey dummyapikey dummysecretkey testtesttesttest passwordpassword 1234567890123456 0123456789abcdef 0123456789012345".split(
    " ",
  ),
);

/** Why the key is not usable, as a phrase. @param misplaced config.yaml has a key, which Hermes does not read. */
export function keyProblem(key: string, misplaced = false): string | undefined {
  if (key === "" && misplaced) return "Hermes does not read its key from config.yaml; set API_SERVER_KEY in .env";
  if (key === "") return "API_SERVER_KEY is not set; create one with `openssl rand -hex 32`";
  if (key.length < SHORTEST) return `API_SERVER_KEY has ${key.length} characters; the minimum is ${SHORTEST}`;
  if (!/^[\x21-\x7e]+$/.test(key))
    return "API_SERVER_KEY contains characters that are not allowed in an HTTP header; use letters, digits and punctuation, without spaces";
  const plain = key.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (PLACEHOLDERS.has(plain) || /^(.)\1*$/.test(key) || plain === "")
    return "API_SERVER_KEY is a placeholder from an example; create a key with `openssl rand -hex 32`";
  return undefined;
}
