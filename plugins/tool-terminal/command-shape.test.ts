import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeOf } from "./command-shape.ts";

test("what never ends or hides is sent to the background, however it is written", async () => {
  for (const command of ["nohup ./x", "FOO=1 setsid x", "x & disown", "sleep 5 &", "(a && b &)", "npm run dev", "yarn start", "npx vite", "cd web && pnpm dev", "docker compose up", "python3 -m http.server 8000", "env A=1 uvicorn app:app", "timeout 30 npm start"]) {
    assert.notEqual((await shapeOf(command)).background, undefined, command);
  }
});

test("words that only look like it are left alone", async () => {
  for (const command of ["echo 'a & b'", "echo nohup", "grep -r 'npm run dev' .", "a && b", "x 2>&1", "x &> log", "npm run build", "npm test", "vite build", "uvicorn --help", "docker compose up -d", "sleep 1 & sleep 2 & wait", "cat <<'E'\nx &\nE", "git commit -m 'start & serve'"]) {
    assert.equal((await shapeOf(command)).background, undefined, command);
  }
});

test("a command that would leave its shell different is known", async () => {
  for (const command of ["cd x", "cd x && ls", "export A=1", "A=1", "source env.sh", "f() { :; }", "set -e; ls", "echo 'unclosed"]) assert.equal((await shapeOf(command)).changesShell, true, command);
  for (const command of ["ls", "A=1 ls", "(cd x && ls)", "ls | while read a; do echo $a; done", "git log | head", "for f in *; do wc -l $f; done"]) assert.equal((await shapeOf(command)).changesShell, false, command);
});

test("the program whose exit status counts is that of the last command", async () => {
  assert.equal((await shapeOf("cd x && cat y | /usr/bin/grep z")).last, "grep");
  assert.equal((await shapeOf("sudo -n grep a b")).last, "grep");
  assert.equal((await shapeOf("(grep a b)")).last, undefined);
});
