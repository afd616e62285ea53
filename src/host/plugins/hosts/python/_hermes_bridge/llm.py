"""`ctx.llm`: the model the person uses, through the agent."""

import json
from dataclasses import dataclass, field
from typing import Any, Dict, Optional

from . import registry


@dataclass
class LlmUsage:
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: Optional[float] = None


@dataclass
class LlmResult:
    text: str
    provider: str = ""
    model: str = ""
    agent_id: str = "default"
    usage: LlmUsage = field(default_factory=LlmUsage)
    audit: Dict[str, Any] = field(default_factory=dict)
    parsed: Any = None
    content_type: str = "text"


class PluginLlm:
    def __init__(self, plugin):
        self._plugin = plugin

    def complete(self, messages, *, provider=None, model=None, temperature=None, max_tokens=None, timeout=None, agent_id=None, profile=None, purpose=None, **_):
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        params = {"plugin": self._plugin, "messages": messages, "provider": provider, "model": model, "temperature": temperature, "max_tokens": max_tokens, "timeout": timeout}
        answer = registry.wire.request("ctx.llm", {key: value for key, value in params.items() if value is not None})
        usage = LlmUsage(**{key: value for key, value in answer["usage"].items() if key in LlmUsage.__dataclass_fields__})
        return LlmResult(text=answer["text"], provider=answer["provider"], model=answer["model"], usage=usage, audit={"plugin_id": self._plugin, "purpose": purpose, "profile": profile})

    def complete_structured(self, *, instructions, input, json_schema=None, json_mode=False, schema_name=None, system_prompt=None, **named):
        if not instructions or not input:
            raise ValueError("instructions and input are needed")
        lines = [instructions]
        if schema_name:
            lines.append("Schema name: %s" % schema_name)
        if json_schema:
            lines.append("JSON schema: %s" % json.dumps(json_schema, sort_keys=True))
        lines.extend(block.get("text", "") for block in input if block.get("type") == "text")
        system = "\n".join(part for part in (system_prompt, "Answer with JSON only.") if part)
        result = self.complete([{"role": "system", "content": system}, {"role": "user", "content": "\n\n".join(lines)}], **named)
        result.parsed = _parsed(result.text)
        result.content_type = "text" if result.parsed is None else "json"
        result.audit["schema_name"] = schema_name
        return result

    async def acomplete(self, messages, **named):
        return await _aside(lambda: self.complete(messages, **named))

    async def acomplete_structured(self, **named):
        return await _aside(lambda: self.complete_structured(**named))


async def _aside(work):
    import asyncio
    import contextvars

    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(None, lambda: context.run(work))


def _parsed(text):
    body = text.strip()
    if body.startswith("```"):
        body = body.split("\n", 1)[-1].rsplit("```", 1)[0]
    try:
        return json.loads(body)
    except ValueError:
        return None
