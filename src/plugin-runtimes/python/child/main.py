"""Runs Python plugins for Hermes: one JSON-RPC message a line, in on descriptor 0, out on descriptor 1.

Both move to other descriptors before any plugin is imported, so that no output of a plugin or its child processes mixes with messages.
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
    # Replaces the folder of this script, which Python put there: plugins import the modules, only the bridge is
    # private.
    modules = os.path.join(here, "modules")
    sys.path[0:1] = [modules, here]
    from _hermes_bridge import host
    from _hermes_bridge.watch import absent

    absent.watch(modules)
    host.run(incoming, outgoing)


main()
