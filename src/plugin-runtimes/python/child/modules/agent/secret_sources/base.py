"""Base of secret managers."""

import enum
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Dict, List, Optional

SECRET_SOURCE_API_VERSION = 1
DEFAULT_FETCH_TIMEOUT_SECONDS = 120.0
DEFAULT_CLI_TIMEOUT_SECONDS = 30.0
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ErrorKind(str, enum.Enum):
    NOT_CONFIGURED = "not_configured"
    BINARY_MISSING = "binary_missing"
    AUTH_FAILED = "auth_failed"
    AUTH_EXPIRED = "auth_expired"
    REF_INVALID = "ref_invalid"
    EMPTY_VALUE = "empty_value"
    NETWORK = "network"
    TIMEOUT = "timeout"
    INTERNAL = "internal"


@dataclass
class FetchResult:
    secrets: Dict[str, str] = field(default_factory=dict)
    warnings: List[str] = field(default_factory=list)
    error: Optional[str] = None
    error_kind: Optional[ErrorKind] = None
    binary_path: Optional[str] = None

    @property
    def ok(self):
        return self.error is None


class SecretSource(ABC):
    api_version = SECRET_SOURCE_API_VERSION
    name = ""
    label = ""
    shape = "mapped"
    scheme = None

    @abstractmethod
    def fetch(self, cfg, home_path):
        """Never raises, never prompts."""

    def is_enabled(self, cfg):
        return bool(isinstance(cfg, dict) and cfg.get("enabled"))

    def override_existing(self, cfg):
        return bool(isinstance(cfg, dict) and cfg.get("override_existing"))

    def protected_env_vars(self, cfg):
        return frozenset()

    def fetch_timeout_seconds(self, cfg):
        return DEFAULT_FETCH_TIMEOUT_SECONDS

    def config_schema(self):
        return {}


def is_valid_env_name(name):
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def scrub_ansi(text):
    return _ESCAPES.sub("", text or "")


def run_secret_cli(argv, *, allow_env=(), extra_env=None, timeout=DEFAULT_CLI_TIMEOUT_SECONDS):
    """Runs a secret manager's own program, with only the variables that it needs."""
    import os
    import subprocess

    names = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", *allow_env)
    env = {name: os.environ[name] for name in names if name in os.environ}
    return subprocess.run(
        list(argv),
        env={**env, **(extra_env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
