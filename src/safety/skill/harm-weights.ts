import type { HarmId } from "../harms.ts";
import type { Severity, SkillThreat } from "./skill-finding.ts";

/**
 * What it means for a skill to hold a command of this class. A runbook restarts services and deletes build folders, and the gate asks when
 * they are run: that is `low`. What no honest skill teaches is `critical`.
 */
export const HARM_WEIGHTS: { readonly [harm in HarmId]?: readonly [Severity, SkillThreat] } = {
  "root-delete": ["critical", "destructive"], "format-device": ["critical", "destructive"], "raw-device": ["critical", "destructive"], "fork-bomb": ["critical", "destructive"], "kill-all": ["critical", "destructive"],
  power: ["medium", "destructive"], "root-mode": ["critical", "destructive"], "root-path-delete": ["high", "destructive"], "unclear-delete": ["low", "destructive"],
  "reverse-shell": ["critical", "network"], "decoded-shell": ["critical", "obfuscation"], "powershell-encoded": ["critical", "obfuscation"], deceptive: ["critical", "obfuscation"],
  "remote-shell": ["critical", "supply_chain"], "remote-run": ["medium", "supply_chain"], "package-index": ["medium", "supply_chain"],
  "secret-send": ["critical", "exfiltration"], "secret-read": ["medium", "exfiltration"], "environment-read": ["medium", "exfiltration"], "cloud-metadata": ["critical", "exfiltration"],
  "credential-write": ["medium", "persistence"], "shell-startup": ["medium", "persistence"], schedule: ["medium", "persistence"], unit: ["medium", "persistence"], "git-hook": ["medium", "persistence"], "git-config-runs": ["high", "persistence"],
  "self-config": ["medium", "persistence"], "set-id": ["high", "privilege_escalation"], "root-shell": ["medium", "privilege_escalation"], "sudo-flag": ["medium", "privilege_escalation"], "privilege-config": ["high", "privilege_escalation"], "container-host": ["high", "privilege_escalation"],
  "env-code": ["medium", "execution"], "option-runs": ["medium", "execution"], "computed-command": ["medium", "obfuscation"], "too-deep": ["high", "obfuscation"], "parser-limit": ["medium", "obfuscation"],
  "world-writable": ["low", "destructive"], "system-config": ["medium", "persistence"],
};

/** Installers that their makers tell people to pipe to a shell, by the beginning of the address without its scheme. */
export const KNOWN_INSTALLERS = [
  "astral.sh/", "community.chocolatey.org/install.ps1", "chocolatey.org/install.ps1", "get.scoop.sh", "claude.ai/install.ps1", "sh.rustup.rs", "static.rust-lang.org/rustup", "get.docker.com", "bun.sh/install", "bun.com/install", "deno.land/", "get.pnpm.io/", "install.python-poetry.org", "raw.githubusercontent.com/nvm-sh/nvm/", "raw.githubusercontent.com/Homebrew/install/",
  "fnm.vercel.app/install", "get.volta.sh", "mise.run", "starship.rs/install.sh", "ollama.com/install.sh", "ollama.ai/install.sh", "claude.ai/install.sh", "deb.nodesource.com/", "rpm.nodesource.com/", "raw.githubusercontent.com/helm/helm/", "get.helm.sh", "get.k3s.io", "fly.io/install.sh",
  "install.determinate.systems/", "nixos.org/nix/install", "sdk.cloud.google.com", "get.sdkman.io", "pyenv.run", "foundry.paradigm.xyz", "tailscale.com/install.sh", "hermes-agent.nousresearch.com/install.sh", "raw.githubusercontent.com/NousResearch/", "cli.github.com/", "aka.ms/Install", "install.duckdb.org", "setup.atuin.sh", "just.systems/install.sh", "taskfile.dev/install.sh", "get.modular.com", "pixi.sh/install.sh", "get-ghcup.haskell.org", "raw.githubusercontent.com/ohmyzsh/ohmyzsh/", "release.solana.com/", "release.anza.xyz/", "cdn.jsdelivr.net/gh/devcontainers/",
];
