"""A model service, as data and a few functions."""

from dataclasses import dataclass, field, fields
from typing import Any, Dict, Optional, Tuple
from urllib.parse import urlparse

OMIT_TEMPERATURE = object()


@dataclass
class ProviderProfile:
    name: str
    api_mode: str = "chat_completions"
    aliases: Tuple[str, ...] = ()
    display_name: str = ""
    description: str = ""
    signup_url: str = ""
    env_vars: Tuple[str, ...] = ()
    base_url: str = ""
    models_url: str = ""
    auth_type: str = "api_key"
    supports_health_check: bool = True
    supports_vision: bool = False
    supports_vision_tool_messages: bool = True
    fallback_models: Tuple[str, ...] = ()
    hostname: str = ""
    default_headers: Dict[str, str] = field(default_factory=dict)
    fixed_temperature: Any = None
    default_max_tokens: Optional[int] = None
    default_aux_model: str = ""

    def described(self):
        data = {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name not in ("name", "display_name", "fixed_temperature")
        }
        if isinstance(self.fixed_temperature, (int, float)):
            data["fixed_temperature"] = self.fixed_temperature
        return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}

    def get_hostname(self):
        return self.hostname or urlparse(self.base_url).hostname or ""

    def prepare_messages(self, messages):
        return messages

    def build_extra_body(self, *, session_id=None, **context):
        return {}

    def build_api_kwargs_extras(self, *, reasoning_config=None, **context):
        return {}, {}

    def default_vision_model(self):
        return None

    def get_max_tokens(self, model):
        return self.default_max_tokens

    def fetch_models(self, *, api_key=None, base_url=None, timeout=8.0):
        """The models that the service lists, or None."""
        import json
        import urllib.request

        url = self.models_url or "%s/models" % (base_url or self.base_url).rstrip("/")
        headers = {
            "User-Agent": "hermes-cli",
            **self.default_headers,
            **({"Authorization": "Bearer %s" % api_key} if api_key else {}),
        }
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=timeout) as response:
                answer = json.load(response)
        except (OSError, ValueError):
            return None
        rows = answer.get("data") if isinstance(answer, dict) else answer
        return [row["id"] if isinstance(row, dict) else row for row in rows] if isinstance(rows, list) else None
