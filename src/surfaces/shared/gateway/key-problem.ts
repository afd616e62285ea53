const SHORTEST = 16;
/** What stands in examples in a key's place, without what joins its words. */
const PLACEHOLDERS = new Set(
  "changemechangeme changemeplease pleasechangeme replaceme replacewithyourkey yourapikey yourapikeyhere yourkeyhere yoursecretkey yoursecretkeyhere yoursecretapikey yoursecrethere yourapiserverkey yourapiserverkeyhere mysecretkey mysecretapikey secretsecretsecret placeholder placeholderkey placeholderapikey exampleapikey examplesecretkey dummyapikey dummysecretkey testtesttesttest passwordpassword 1234567890123456 0123456789abcdef 0123456789012345".split(
    " ",
  ),
);

/** Why that is no key to open an agent with, in a phrase. @param misplaced One stands where no key is read. */
export function keyProblem(key: string, misplaced = false): string | undefined {
  if (key === "" && misplaced) return "its key is not read from config.yaml; API_SERVER_KEY in .env holds it";
  if (key === "") return "API_SERVER_KEY is not set; `openssl rand -hex 32` makes one";
  if (key.length < SHORTEST) return `API_SERVER_KEY has ${key.length} characters; it must have at least ${SHORTEST}`;
  if (!/^[\x21-\x7e]+$/.test(key))
    return "API_SERVER_KEY holds characters that no header can carry; letters, digits and signs without spaces can be sent";
  const plain = key.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (PLACEHOLDERS.has(plain) || /^(.)\1*$/.test(key) || plain === "")
    return "API_SERVER_KEY is a placeholder of an example; `openssl rand -hex 32` makes a key";
  return undefined;
}
