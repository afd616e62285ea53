#!/bin/sh
# with-node.sh FILE [ARGUMENTS]: runs a script of this clone with the Node.js and the dependencies it needs, fetched on first use.
set -eu
ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
OMIT=
. "$ROOT/scripts/node-runtime.sh"
prepare_runtime
PATH=$(dirname "$NODE"):$ROOT/node_modules/.bin:$PATH
export PATH
exec "$NODE" --conditions=hermes-source "$@"
