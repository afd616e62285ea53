import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeOf } from "./command-shape.ts";

test("requires the background for commands that never end or detach, in every spelling", async () => {
  for (const command of [
    "nohup ./x",
    "FOO=1 setsid x",
    "x & disown",
    "sleep 5 &",
    "(a && b &)",
    "npm run dev",
    "yarn start",
    "npx vite",
    "cd web && pnpm dev",
    "docker compose up",
    "python3 -m http.server 8000",
    "env A=1 uvicorn app:app",
    "timeout 30 npm start",
  ]) {
    assert.notEqual((await shapeOf(command)).background, undefined, command);
  }
});

test("does not refuse words that only resemble such commands", async () => {
  for (const command of [
    "echo 'a & b'",
    "echo nohup",
    "grep -r 'npm run dev' .",
    "a && b",
    "x 2>&1",
    "x &> log",
    "npm run build",
    "npm test",
    "vite build",
    "uvicorn --help",
    "docker compose up -d",
    "sleep 1 & sleep 2 & wait",
    "cat <<'E'\nx &\nE",
    "git commit -m 'start & serve'",
  ]) {
    assert.equal((await shapeOf(command)).background, undefined, command);
  }
});

test("recognises a command that would change the state of its shell", async () => {
  for (const command of [
    "cd x",
    "cd x && ls",
    "export A=1",
    "A=1",
    "source env.sh",
    "f() { :; }",
    "set -e; ls",
    "echo 'unclosed",
  ])
    assert.equal((await shapeOf(command)).changesShell, true, command);
  for (const command of [
    "ls",
    "A=1 ls",
    "(cd x && ls)",
    "ls | while read a; do echo $a; done",
    "git log | head",
    "for f in *; do wc -l $f; done",
  ])
    assert.equal((await shapeOf(command)).changesShell, false, command);
});

test("takes the exit status from the program of the last command", async () => {
  assert.equal((await shapeOf("cd x && cat y | /usr/bin/grep z")).last, "grep");
  assert.equal((await shapeOf("sudo -n grep a b")).last, "grep");
  assert.equal((await shapeOf("(grep a b)")).last, undefined);
});

test("detects programs that wait for a user at a terminal, and suggests an alternative", async () => {
  const commands = [
    "vim a.txt",
    "sudo nano /etc/hosts",
    "top",
    "/usr/bin/htop",
    "watch -n1 ls",
    "python3",
    "cd x && python -i s.py",
    "node",
    "psql mydb",
    "sqlite3 a.db",
    "ssh host",
    "ssh -p 22 me@host",
    "npm init",
    "git rebase -i HEAD~3",
    "git add -p",
    "git commit",
    "git commit -a",
    "less x; vi y",
    "git -C repo commit",
    "git rebase --continue",
    "git -c user.name=x merge --continue",
    "git tag -a v1",
    "git config --edit",
    "git clean -i",
    "git restore -p",
    "visudo",
    "sudo crontab -e",
    "kubectl edit deploy/x",
    "systemctl edit x",
  ];
  for (const command of commands)
    assert.match((await shapeOf(command)).interactive ?? "", /waits for a user at a terminal\. \S/, command);
});

test("does not refuse the same programs in non-interactive use", async () => {
  const commands = [
    "vim -es -c wq a",
    "nvim --headless +q",
    "emacs --batch -l x",
    "top -b -n 1",
    "top -bn1",
    "python3 s.py",
    "python -c 'print(1)'",
    "echo 'print(1)' | python3",
    "python3 <<'E'\nprint(1)\nE",
    "python3 < in.py",
    "node app.js",
    "psql -c 'select 1'",
    "mysql -e 'select 1' db",
    "sqlite3 a.db 'select 1'",
    "ssh host uname -a",
    "ssh -N -L 1:h:1 host",
    "ssh -V",
    "npm init -y",
    "npm init vite",
    "git commit -m x",
    "git commit -am x",
    "git commit --amend --no-edit",
    "less README.md",
    "man ls",
    "vim --version",
    "tmux ls",
    "echo vim",
    "grep -r top .",
    "git add .",
    "bash",
    "ls | less",
    "cat x | while true; do python3; done",
    "{ python3; } <in.py",
    "python3 <<<1",
    "GIT_EDITOR=true git rebase --continue",
    "env GIT_EDITOR=true git rebase --continue",
    "git -c core.editor=true commit",
    "EDITOR=cat crontab -e",
    "git -C x status",
    "git tag -a v1 -m x",
    "git tag v1",
    "git tag",
    "git stash show -p",
    "git log -p",
    "git config user.name x",
    "git merge x",
    "git rebase main",
    "git rebase --abort",
    "visudo -c",
    "crontab -l",
    "kubectl get x",
    "git commit -F -",
  ];
  for (const command of commands) assert.equal((await shapeOf(command)).interactive, undefined, command);
});

test("finds a `sudo` that may ask for a password, also behind other programs", async () => {
  const at = async (command: string) =>
    (await shapeOf(command)).sudo.map(({ from, to }) => [from, command.slice(from, to)]);
  assert.deepEqual(await at("a | sudo tee x; time sudo -u me ls && env A=1 /usr/bin/sudo b"), [
    [4, "sudo"],
    [21, "sudo"],
    [46, "/usr/bin/sudo"],
  ]);
  assert.deepEqual(await at("if ! sudo true; then (sudo false); fi"), [
    [5, "sudo"],
    [22, "sudo"],
  ]);
  for (const command of [
    "sudo -k",
    "sudo -K; sudo --reset-timestamp",
    "sudo -n ls",
    "sudo -nE ls",
    "echo pw | sudo -S ls",
    "sudo --version",
    "echo sudo",
    "'su''do' ls",
    "grep sudo x",
  ])
    assert.deepEqual(await at(command), [], command);
});
