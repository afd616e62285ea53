import assert from "node:assert/strict";
import { test } from "node:test";
import { keyProblem } from "./key-problem.ts";

test("a key of sixteen characters that no example has is one", () => {
  for (const key of ["3f1c9d2e7a5b4c6d", "correct-horse-battery"]) assert.equal(keyProblem(key), undefined, key);
});

test("what is missing, short, a placeholder or cannot be sent is none, and it is said what would be", () => {
  assert.match(keyProblem("")!, /is not set; `openssl rand/);
  assert.match(keyProblem("", true)!, /not read from config\.yaml; API_SERVER_KEY in \.env/);
  assert.match(keyProblem("3f1c9d2e7a5b4c6")!, /has 15 characters; it must have at least 16/);
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
    assert.match(keyProblem(key)!, /no header can carry/, key);
});
