import assert from "node:assert/strict";
import { test } from "node:test";
import { keyProblem } from "./key-problem.ts";

test("accepts a key of sixteen characters that is not a placeholder", () => {
  for (const key of ["3f1c9d2e7a5b4c6d", "correct-horse-battery"]) assert.equal(keyProblem(key), undefined, key);
});

test("refuses a missing, short, placeholder or unsendable key, and says what to use", () => {
  assert.match(keyProblem("")!, /is not set; create one with `openssl rand/);
  assert.match(keyProblem("", true)!, /not read its key from config\.yaml; set API_SERVER_KEY in \.env/);
  assert.match(keyProblem("3f1c9d2e7a5b4c6")!, /has 15 characters; the minimum is 16/);
  for (const key of [
    "your_api_key_here",
    "Your-Secret-Key-Here",
    "changeme-changeme",
    "aaaaaaaaaaaaaaaa",
    "****************",
    "1234567890123456",
  ])
    assert.match(keyProblem(key)!, /placeholder/, key);
  for (const key of ["with a space inside", "schlüssel-schlüssel"])
    assert.match(keyProblem(key)!, /not allowed in an HTTP header/, key);
});
