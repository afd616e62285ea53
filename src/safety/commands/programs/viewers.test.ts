import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const places = { cwd: "/work/app", home: "/home/me" };
const judge = (command: string) => judgeCommand(command, places);

test("looking at the machine runs unasked", async () => {
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

test("the environments of other processes are secrets, and ending what uses a file is ending by force", async () => {
  for (const command of ["ps eww", "ps auxe", "ps -eo pid,cmd e", "fuser -k 3000/tcp", "fuser -km /srv"])
    assert.notEqual((await judge(command)).answer, "allow", command);
});

test("setting the clock is a change of the system", async () => {
  for (const command of ["date -s '2020-01-01'", "date --set=yesterday", "sudo date 010100002030"])
    assert.equal((await judge(command)).answer, "ask", command);
});

test("who runs it is known where a script asks", async () => {
  assert.equal((await judge('[ "$(whoami)" = me ] && echo yes')).answer, "allow");
  assert.equal((await judge("rm -rf /home/$(whoami)")).answer, "block");
});
