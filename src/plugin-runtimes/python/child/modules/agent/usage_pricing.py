"""The tokens of a request, in one format for every service. Only the agent knows the cost: prices are its own, and
here each is unknown.
"""

from dataclasses import dataclass, fields
from typing import Any, Optional


@dataclass(frozen=True)
class CanonicalUsage:
    # : Without tokens read from the cache or written to it.
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    request_count: int = 1
    raw_usage: Optional[dict] = None

    @property
    def prompt_tokens(self):
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def total_tokens(self):
        return self.prompt_tokens + self.output_tokens

    def __add__(self, other):
        if not isinstance(other, CanonicalUsage):
            return NotImplemented
        counts = [one.name for one in fields(self) if one.name != "raw_usage"]
        return CanonicalUsage(**{name: getattr(self, name) + getattr(other, name) for name in counts})


@dataclass(frozen=True)
class CostResult:
    amount_usd: Any = None
    status: str = "unknown"
    source: str = "none"
    label: str = "n/a"
    fetched_at: Any = None
    pricing_version: Optional[str] = None
    notes: tuple = ()


@dataclass(frozen=True)
class BillingRoute:
    provider: str
    model: str
    base_url: str = ""
    billing_mode: str = "unknown"


# : The fields of each service, the first non-empty one counts; and whether the input includes cached tokens.
_ANTHROPIC = (
    ("input_tokens",),
    ("output_tokens",),
    ("cache_read_input_tokens",),
    ("cache_creation_input_tokens",),
    False,
)
_RESPONSES = (
    ("input_tokens",),
    ("output_tokens",),
    ("input_tokens_details.cached_tokens",),
    ("input_tokens_details.cache_creation_tokens",),
    True,
)
_CHAT = (
    ("prompt_tokens",), ("completion_tokens",), ("prompt_tokens_details.cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens"),
    ("prompt_tokens_details.cache_write_tokens", "cache_creation_input_tokens"), True,
)  # fmt: skip
_REASONING = ("output_tokens_details.reasoning_tokens", "completion_tokens_details.reasoning_tokens")


def normalize_usage(response_usage, *, provider=None, api_mode=None):
    if not response_usage:
        return CanonicalUsage()
    mode = (api_mode or "").strip().lower()
    shape = (
        _ANTHROPIC
        if mode == "anthropic_messages" or (provider or "").strip().lower() == "anthropic"
        else _RESPONSES
        if mode == "codex_responses"
        else _CHAT
    )
    given, made, read, written = (_first(response_usage, names) for names in shape[:4])
    return CanonicalUsage(
        max(0, given - read - written) if shape[4] else given, made, read, written, _first(response_usage, _REASONING)
    )


def estimate_usage_cost(model_name, usage, *, provider=None, base_url=None, api_key=None):
    return CostResult()


def resolve_billing_route(model_name, provider=None, base_url=None):
    return BillingRoute(
        (provider or "").strip().lower() or "unknown", (model_name or "").strip().split("/")[-1], base_url or ""
    )


def get_pricing_entry(model_name, provider=None, base_url=None, api_key=None):
    return None


def has_known_pricing(model_name, provider=None, base_url=None, api_key=None):
    return False


def _first(usage, names):
    return next((count for count in (_count(usage, name) for name in names) if count), 0)


def _count(found, path):
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else getattr(found, name, None)
    try:
        return int(found or 0)
    except (TypeError, ValueError):
        return 0
