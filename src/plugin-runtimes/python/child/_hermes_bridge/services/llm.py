"""`ctx.llm`: the user's model, through the agent."""

import base64
import json
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any, Dict, Optional, Union

from .. import loader, registry
from ..wire import RemoteError


class PluginLlmTrustError(PermissionError):
    """The user did not allow this plugin that choice, or that many tokens."""


@dataclass
class PluginLlmTextInput:
    text: str
    type: str = "text"


@dataclass
class PluginLlmImageInput:
    data: Optional[Union[bytes, str]] = None
    url: Optional[str] = None
    mime_type: Optional[str] = None
    file_name: Optional[str] = None
    type: str = "image"


@dataclass
class PluginLlmUsage:
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: Optional[float] = None


@dataclass
class PluginLlmCompleteResult:
    text: str
    provider: str = ""
    model: str = ""
    agent_id: str = "default"
    usage: PluginLlmUsage = field(default_factory=PluginLlmUsage)
    audit: Dict[str, Any] = field(default_factory=dict)


@dataclass
class PluginLlmStructuredResult(PluginLlmCompleteResult):
    parsed: Any = None
    content_type: str = "text"


class PluginLlm:
    def __init__(self, plugin):
        self._plugin = plugin

    def complete(
        self,
        messages,
        *,
        provider=None,
        model=None,
        temperature=None,
        max_tokens=None,
        timeout=None,
        agent_id=None,
        profile=None,
        purpose=None,
        setting=None,
        **_,
    ):
        answer = self._ask(
            messages, provider, model, temperature, max_tokens, timeout, agent_id, profile, purpose, setting
        )
        return PluginLlmCompleteResult(**answer)

    def complete_structured(
        self,
        *,
        instructions,
        input,
        json_schema=None,
        json_mode=False,
        schema_name=None,
        system_prompt=None,
        provider=None,
        model=None,
        temperature=None,
        max_tokens=None,
        timeout=None,
        agent_id=None,
        profile=None,
        purpose=None,
        setting=None,
    ):
        if not (instructions or "").strip() or not input:
            raise ValueError("instructions and input are needed")
        blocks = [asdict(block) if is_dataclass(block) else block for block in input]
        lines = [instructions]
        if schema_name:
            lines.append("Schema name: %s" % schema_name)
        if json_schema:
            lines.append("JSON schema: %s" % json.dumps(json_schema, sort_keys=True))
        lines.extend(block.get("text", "") for block in blocks if block.get("type") == "text")
        text = {"type": "text", "text": "\n\n".join(lines)}
        images = [
            {"type": "image_url", "image_url": {"url": self._data_url(block)}}
            for block in blocks
            if block.get("type") == "image"
        ]
        system = "\n".join(
            part for part in (system_prompt, "Answer with JSON only." if json_schema or json_mode else "") if part
        )
        messages = [{"role": "system", "content": system}, {"role": "user", "content": [text, *images]}]
        answer = self._ask(
            messages, provider, model, temperature, max_tokens, timeout, agent_id, profile, purpose, setting
        )
        answer["audit"]["schema_name"] = schema_name
        parsed = _parsed(answer["text"]) if json_schema or json_mode else None
        if parsed is not None and json_schema:
            _hold_to(parsed, json_schema)
        return PluginLlmStructuredResult(**answer, parsed=parsed, content_type="text" if parsed is None else "json")

    async def acomplete(self, messages, **named):
        return await aside(lambda: self.complete(messages, **named))

    async def acomplete_structured(self, **named):
        return await aside(lambda: self.complete_structured(**named))

    def _ask(self, messages, provider, model, temperature, max_tokens, timeout, agent_id, profile, purpose, setting):
        # One agent of one profile answers here; naming that one changes nothing.
        for name, value, own in (
            ("agent_id", agent_id, "default"),
            ("profile", profile, loader.agent.get("profile") or "default"),
        ):
            if value not in (None, own):
                raise PluginLlmTrustError(
                    "The plugin %r may not choose the %s %r: this process serves only %r (hermes -p NAME starts another profile)."
                    % (self._plugin, name, value, own)
                )
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        params = {
            "plugin": self._plugin,
            "messages": messages,
            "provider": provider,
            "model": model,
            "temperature": temperature,
            "max_tokens": max_tokens,
            "timeout": timeout,
            "purpose": purpose,
            "setting": setting,
        }
        try:
            answer = registry.wire.request(
                "ctx.llm", {key: value for key, value in params.items() if value is not None}
            )
        except RemoteError as cause:
            if cause.data.get("code") != "blocked":
                raise
            raise PluginLlmTrustError(str(cause)) from cause
        usage = PluginLlmUsage(
            **{key: value for key, value in answer["usage"].items() if key in PluginLlmUsage.__dataclass_fields__}
        )
        audit = {"plugin_id": self._plugin, "purpose": purpose, "profile": profile}
        return {
            "text": answer["text"],
            "provider": answer["provider"],
            "model": answer["model"],
            "agent_id": agent_id or "default",
            "usage": usage,
            "audit": audit,
        }

    def _data_url(self, block):
        data, url, kind = block.get("data"), block.get("url"), block.get("mime_type") or "image/png"
        if isinstance(url, str) and url.startswith("data:"):
            return url
        if data is None and isinstance(url, str):
            from .granted import fetch

            reply = fetch(self._plugin, url)
            if not reply.ok:
                raise ValueError("%s answered %d" % (url, reply.status))
            data, kind = reply.content, block.get("mime_type") or reply.headers.get("content-type", kind).split(";")[0]
        if data is None:
            raise ValueError("an image needs data or url")
        if isinstance(data, str):
            return data if data.startswith("data:") else "data:%s;base64,%s" % (kind, data)
        return "data:%s;base64,%s" % (kind, base64.b64encode(data).decode("ascii"))


async def aside(work):
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


def _hold_to(value, schema):
    try:
        import jsonschema
    except ImportError:
        return  # Without jsonschema the answer cannot be validated.
    try:
        jsonschema.validate(value, schema)
    except jsonschema.ValidationError as cause:
        raise ValueError("The model's answer does not fit the schema: %s" % cause.message) from cause
