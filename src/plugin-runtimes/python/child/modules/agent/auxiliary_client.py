"""A plugin's own requests to a model, through `ctx.llm` and under its budget. The answer has the shape of a
provider's library.
"""

from _hermes_bridge import current
from _hermes_bridge.services.answers import answer_of
from _hermes_bridge.services.llm import PluginLlm, aside


def call_llm(
    task=None,
    *,
    messages,
    provider=None,
    model=None,
    temperature=None,
    max_tokens=None,
    timeout=None,
    tools=None,
    stream=False,
    **_,
):
    if tools or stream:
        raise NotImplementedError("A plugin's model request cannot use tools or streaming.")
    result = PluginLlm(current.plugin.get()).complete(
        messages,
        provider=provider,
        model=model,
        temperature=temperature,
        max_tokens=max_tokens,
        timeout=timeout,
        purpose=task,
    )
    usage = {
        "prompt_tokens": result.usage.input_tokens,
        "completion_tokens": result.usage.output_tokens,
        "total_tokens": result.usage.total_tokens,
    }
    message = {"role": "assistant", "content": result.text, "tool_calls": None}
    return answer_of(
        {"model": result.model, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
    )


async def async_call_llm(task=None, **named):
    return await aside(lambda: call_llm(task, **named))


def extract_content_or_reasoning(response):
    message = response.choices[0].message
    return (message.get("content") or message.get("reasoning_content") or message.get("reasoning") or "").strip()
