"""Base of secret managers."""

import enum
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Dict, List, Optional

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
    api_version = 1
    name = ""
    label = ""
    shape = "mapped"
    scheme = None

    @abstractmethod
    def fetch(self, cfg, home_path):
        """Never raises, never asks."""

    def is_enabled(self, cfg):
        return bool(isinstance(cfg, dict) and cfg.get("enabled"))

    def override_existing(self, cfg):
        return bool(isinstance(cfg, dict) and cfg.get("override_existing"))

    def protected_env_vars(self, cfg):
        return frozenset()

    def fetch_timeout_seconds(self, cfg):
        return 120.0

    def config_schema(self):
        return {}


def is_valid_env_name(name):
    return isinstance(name, str) and _NAME.fullmatch(name) is not None
