import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const HERE = { cwd: "/home/u/p", home: "/home/u" };

/** How each is written, up to the command. */
const WORDS =
  `dumb-init|tini -g --|with-contenv|s6-setuidgid app|chpst -u app|envdir ./env|setlock lock|run-one|retry -t 3 --|wait-for-it.sh db:5432 --
dockerize -wait tcp://db:5432 -timeout 5s|envchain aws|foreman run|ssh-agent|dbus-launch|devbox run --|rvm 3.3 do|nvm exec 22|fnm exec --using=22|pixi run|cgexec -g cpu:x
trickle -d 10|torify|prime-run|ccache|kcov out|multitime -n 3|foot|wezterm start --|xfce4-terminal -x|kgx --|dtach -n sock|pueue add --|tsp|zellij run --
apptainer exec --bind /a:/b image.sif|distrobox enter box --|toolbox run -c box|systemd-nspawn -D /srv/x|flatpak-spawn --host|srun -n 4 --mem=1G|mpirun --hostfile hosts -np 2
qsub -b y|bsub -q short|script -q /dev/null|rlwrap -a|setarch x86_64|vagrant ssh --|podman unshare|yarn workspace web exec|poetry -C api run|bun run|tmux new-window|lldb --`.split(
    /[|\n]/,
  );

// req: R-30
test("a wrapper program is judged by the command that it runs", async () => {
  const weaker: string[] = [];
  for (const words of WORDS)
    for (const command of ["rm -rf build", "git push --force", "tee /etc/hosts"]) {
      const { answer } = await judgeCommand(`${words} ${command}`, HERE);
      if (answer !== "ask") weaker.push(`${words} ${command}: ${answer}`);
    }
  assert.deepEqual(weaker, []);
});

test("an everyday command in a wrapper is allowed", async () => {
  const asked: string[] = [];
  for (const words of WORDS) {
    const { answer, key } = await judgeCommand(`${words} node --version`, HERE);
    if (answer !== "allow" && key !== "shell with another user's rights") asked.push(`${words}: ${key}`);
  }
  assert.deepEqual(asked, []);
});

test("a wrapper's other subcommands are judged like ordinary programs", async () => {
  for (const command of [
    "distrobox list",
    "toolbox list",
    "pueue status",
    "nvm use 22",
    "fnm install 22",
    "foreman check",
    "apptainer build x.sif x.def",
    "zellij attach main",
  ])
    assert.equal((await judgeCommand(command, HERE)).answer, "allow", command);
});

test("remote wrappers pass their words as one command line to a shell", async () => {
  for (const command of [
    "pssh -h hosts -i 'cd /srv && rm -rf cache'",
    "clush -w web[1-9] systemctl stop nginx",
    "plink host reboot",
  ])
    assert.notEqual((await judgeCommand(command, HERE)).answer, "allow", command);
});
