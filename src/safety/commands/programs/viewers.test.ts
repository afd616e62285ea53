import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const places = { cwd: "/work/app", home: "/home/me" };
const judge = (command: string) => judgeCommand(command, places);

test("commands that inspect the machine run without asking", async () => {
  for (const command of [
    "ps aux",
    "ps -ef --forest",
    "top -bn1",
    "free -h",
    "lsof -i :3000",
    "ss -tlnp",
    "netstat -an",
    "uname -a",
    "id -un",
    "whoami",
    "uptime",
    "df -h",
    "lscpu",
    "who",
    "last -5",
    "date +%F",
    "date -d yesterday",
    "sleep 5",
    "tput cols",
    "pgrep -f node",
    "fuser 3000/tcp",
  ])
    assert.equal((await judge(command)).answer, "allow", command);
});

test("asks before reading other processes' environments or killing the users of a file", async () => {
  for (const command of ["ps eww", "ps auxe", "ps -eo pid,cmd e", "fuser -k 3000/tcp", "fuser -km /srv"])
    assert.notEqual((await judge(command)).answer, "allow", command);
});

test("setting the clock counts as a system change", async () => {
  for (const command of ["date -s '2020-01-01'", "date --set=yesterday", "sudo date 010100002030"])
    assert.equal((await judge(command)).answer, "ask", command);
});

test("resolves the user name where a script asks for it", async () => {
  assert.equal((await judge('[ "$(whoami)" = me ] && echo yes')).answer, "allow");
  assert.equal((await judge("rm -rf /home/$(whoami)")).answer, "block");
});
