"""Runs Python plugins for Hermes: one JSON-RPC message a line, in on descriptor 0, out on descriptor 1.

Both are moved away before any plugin is imported, so that nothing a plugin or one of its children prints can get between two messages.
See docs/plugin-protocol.md.
"""

import os
import sys


def main():
    incoming = os.dup(0)
    outgoing = os.dup(1)
    silence = os.open(os.devnull, os.O_RDONLY)
    os.dup2(silence, 0)
    os.close(silence)
    os.dup2(2, 1)
    here = os.path.dirname(os.path.abspath(__file__))
    # In place of the folder of this script, which Python put there: plugins import the modules, the bridge is ours.
    modules = os.path.join(here, "modules")
    sys.path[0:1] = [modules, here]
    from _hermes_bridge import absent, host

    absent.watch(modules)
    host.run(incoming, outgoing)


main()
