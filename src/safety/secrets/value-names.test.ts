import assert from "node:assert/strict";
import { test } from "node:test";
import { nameKind, type NameKind } from "./value-names.ts";

test("the last word of a name determines its kind, however the words are joined", () => {
  const kinds: readonly (readonly [NameKind, string])[] = [
    ["maybe", "pat PAT gitlabPat MY_PAT my-pat patHex PATHex PAT_2 auth STRIPE_KEY awsCredential pass"],
    ["secret", "db_password DBPassword ADMIN_PWD kennwort minhaSenha CLIENT_SECRET accessToken apikey 密码 пароль"],
    ["header", "X-Api-Key authorization x-SECRET ocp-apim-subscription-key"],
    ["cookie", "Cookie set-COOKIE"],
    ["list", "api_keys PASSWORDS tokens clientSecrets"],
    [undefined, "path PATH PATHS pattern PATTERN PATCH pathHex patience key KEY primary_key token_count secretName a"],
  ];
  for (const [kind, names] of kinds) for (const name of names.split(" ")) assert.equal(nameKind(name), kind, name);
});
