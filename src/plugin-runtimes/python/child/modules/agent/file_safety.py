"""Files that a plugin's tool should neither read nor write."""

import os

from _hermes_bridge.home import home

_SECRET = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".git-credentials",
    ".config/gh",
    ".config/gcloud",
)
_OURS = (".env", "state.db", "index.db", "config.yaml")


def _holds(path, names):
    real = os.path.realpath(os.path.expanduser(str(path)))
    places = [os.path.join(os.path.expanduser("~"), name) for name in names[0]] + [
        os.path.join(str(home()), name) for name in names[1]
    ]
    return any(real == place or real.startswith(place + os.sep) for place in map(os.path.realpath, places))


def is_write_denied(path):
    real = os.path.realpath(os.path.expanduser(str(path)))
    return _holds(path, (_SECRET, _OURS)) or real.startswith(("/etc/", "/boot/", "/sys/", "/proc/", "/usr/"))


def raise_if_read_blocked(path):
    if _holds(path, (_SECRET, (".env",))):
        raise ValueError("%s contains secrets and is not read." % path)
