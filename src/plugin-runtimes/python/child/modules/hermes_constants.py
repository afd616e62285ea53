"""Folders, as plugins ask for them."""

from _hermes_bridge.home import home as get_hermes_home
from _hermes_bridge.home import root as get_default_hermes_root

OPENROUTER_BASE_URL = "https://openrouter.ai/api/v1"
VALID_REASONING_EFFORTS = ("minimal", "low", "medium", "high", "xhigh", "max", "ultra")
get_process_hermes_home = get_hermes_home


def get_hermes_dir(name, old_name=None):
    """A folder of the home; under its former name if only that exists."""
    new = get_hermes_home() / name
    old = get_hermes_home() / old_name if old_name else new
    return old if old.exists() and not new.exists() else new


def get_config_path():
    return get_hermes_home() / "config.yaml"


def get_env_path():
    return get_hermes_home() / ".env"


def get_skills_dir():
    return get_hermes_home() / "skills"


def display_hermes_home():
    from pathlib import Path

    try:
        return "~/%s" % get_hermes_home().relative_to(Path.home())
    except ValueError:
        return str(get_hermes_home())


def get_bundled_skills_dir(default=None):
    return get_skills_dir() if default is None else default


def get_optional_skills_dir(default=None):
    return get_hermes_home() / "optional-skills" if default is None else default


def get_real_home(env=None):
    from pathlib import Path

    return str(Path.home())


def get_subprocess_home(env=None):
    return None


def secure_parent_dir(path):
    """For this user alone, unless others share the folder."""
    from pathlib import Path

    parent = Path(path).parent
    if parent not in (Path("/"), Path("/tmp"), Path.home()):
        parent.chmod(0o700)


def is_container():
    import os

    return any(os.path.exists(mark) for mark in ("/.dockerenv", "/run/.containerenv"))


def is_wsl():
    try:
        with open("/proc/version", encoding="utf-8") as version:
            return "microsoft" in version.read().lower()
    except OSError:
        return False


def is_termux():
    import os

    return "com.termux" in os.environ.get("PREFIX", "")


def parse_reasoning_effort(effort):
    """`{"enabled": ..., "effort": ...}`; None for an unknown word."""
    if effort is False:
        return {"enabled": False}
    word = effort.strip().lower() if isinstance(effort, str) else None
    if word == "none":
        return {"enabled": False}
    return {"enabled": True, "effort": word} if word in VALID_REASONING_EFFORTS else None
