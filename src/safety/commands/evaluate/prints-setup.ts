export function printsSetup(name: string, argv: readonly string[]): boolean {
  const rest = argv.slice(1).join(" ");
  return SETUP.get(name)?.test(rest) === true || /^completion (bash|zsh|fish)$/.test(rest);
}

/** Programs whose output is shell text that sets up a session: `eval "$(ssh-agent -s)"`. */
const SETUP = new Map<string, RegExp>([
  ["ssh-agent", /^(-[sck]\s?)*$/],
  ["dircolors", /./],
  ["resize", /^/],
  ["lesspipe", /^/],
  ["direnv", /^(hook|export)\b/],
  ["brew", /^shellenv\b/],
  ["pyenv", /^(init|virtualenv-init)\b/],
  ["rbenv", /^init\b/],
  ["nodenv", /^init\b/],
  ["goenv", /^init\b/],
  ["jenv", /^init\b/],
  ["fnm", /^env\b/],
  ["mise", /^(activate|env|hook-env)\b/],
  ["starship", /^init\b/],
  ["zoxide", /^init\b/],
  ["opam", /^(env|config env)\b/],
  ["conda", /^shell\.\w+ hook|^shell hook/],
  ["micromamba", /^shell hook/],
  ["minikube", /^(-p \S+ )?(docker-env|podman-env)\b/],
  ["docker-machine", /^env\b/],
  ["fzf", /^--(bash|zsh|fish)$/],
  ["thefuck", /^--alias/],
  ["atuin", /^init\b/],
  ["luarocks", /^path\b/],
  ["register-python-argcomplete", /^/],
  ["keychain", /^--eval/],
  ["gpgconf", /^/],
  ["mcfly", /^init\b/],
  ["scmpuff", /^init\b/],
  ["hub", /^alias\b/],
  ["perl", /^-I\S+ -Mlocal::lib/],
  ["guix", /^package .*--search-paths/],
]);
