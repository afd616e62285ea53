"""Settings as plugins read them: the file itself, and variables. Only the user changes them."""

import copy
import os

from _hermes_bridge.home import home as get_hermes_home

DEFAULT_CONFIG = {
    "model": {},
    "agent": {},
    "terminal": {"backend": "local"},
    "memory": {"provider": ""},
    "context": {"engine": "compressor"},
    "plugins": {"enabled": [], "disabled": [], "entries": {}},
}

get_process_hermes_home = get_hermes_home


def get_config_path():
    return get_hermes_home() / "config.yaml"


def get_env_path():
    return get_hermes_home() / ".env"


def ensure_hermes_home():
    get_hermes_home().mkdir(parents=True, exist_ok=True)


def read_raw_config():
    """The content of config.yaml, without defaults."""
    import yaml

    try:
        text = get_config_path().read_text(encoding="utf-8")
    except OSError:
        return {}
    found = yaml.safe_load(text)
    return found if isinstance(found, dict) else {}


def load_config():
    return _merged(DEFAULT_CONFIG, read_raw_config())


load_config_readonly = load_config


def cfg_get(config, *path, default=None):
    for name in path:
        if not isinstance(config, dict) or name not in config:
            return default
        config = config[name]
    return config


def get_env_value(name):
    """Of a variable this plugin declares, or that is not secret."""
    return os.environ.get(name)


get_env_value_prefer_dotenv = get_env_value


def get_project_root():
    """The folder of the modules that plugins import."""
    from pathlib import Path

    return Path(__file__).resolve().parent.parent


def is_managed():
    return False


def reload_env():
    """The agent passes variables; there is no file to read again."""
    return 0


def is_provider_enabled(provider):
    return not (isinstance(provider, dict) and provider.get("enabled") is False)


def redact_key(key):
    return "(not set)" if not key else "***" if len(key) < 12 else "%s...%s" % (key[:4], key[-4:])


def load_env():
    return dict(os.environ)


def save_config(config, *args, **kwargs):
    raise PermissionError("A plugin may not write config.yaml. Ask the user to run: hermes config set NAME VALUE")


def save_env_value(name, value):
    raise PermissionError("A plugin may not write .env. Ask the user to run: hermes config set %s VALUE" % name)


def remove_env_value(name):
    raise PermissionError("A plugin may not write .env. Ask the user to remove %s from it." % name)


def set_config_value(name, value, *args, **kwargs):
    raise PermissionError("A plugin may not write config.yaml. Ask the user to run: hermes config set %s VALUE" % name)


def write_platform_config_field(platform, name, value, *args, **kwargs):
    raise PermissionError(
        "A plugin may not write config.yaml. Ask the user to run: hermes config set gateway.platforms.%s.%s VALUE"
        % (platform, name)
    )


def _merged(below, above):
    result = copy.deepcopy(below)
    for key, value in above.items():
        result[key] = (
            _merged(result[key], value) if isinstance(value, dict) and isinstance(result.get(key), dict) else value
        )
    return result
