"""Arguments and results of `ctx.llm`."""

from _hermes_bridge.services.llm import (
    PluginLlm,
    PluginLlmCompleteResult,
    PluginLlmImageInput,
    PluginLlmStructuredResult,
    PluginLlmTextInput,
    PluginLlmTrustError,
    PluginLlmUsage,
)  # noqa: F401
