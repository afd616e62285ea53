import type { PluginFiles } from "./plugin-files.ts";
import type { PluginNames } from "./plugin-files.ts";
import { calls, readme } from "./typescript-template.ts";

/** The template plugin in Python: the guide's four files and a package that can be published. */
export function pythonPlugin({ name, word }: PluginNames): PluginFiles {
  return {
    "plugin.yaml": `name: ${name}
version: 0.1.0
description: Counts the words of a text.
provides_tools:
  - ${word}_count
provides_hooks:
  - post_tool_call
`,
    "schemas.py": `"""The schema: the model decides by it when to call the tool, and with which arguments."""

COUNT = {
    "name": "${word}_count",
    "description": "Counts the words of a text exactly. Use it whenever a number of words matters.",
    "parameters": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "The text whose words are counted"},
            "longest": {"type": "boolean", "description": "Also return the longest word (default: false)"},
        },
        "required": ["text"],
    },
}
`,
    "tools.py": `"""Runs when the model calls a tool. A handler returns a JSON string, also for a failure, and never raises."""

import json


def count(args: dict, **kwargs) -> str:
    words = str(args.get("text", "")).split()
    if not words:
        return json.dumps({"error": "The text has no words."})
    result = {"words": len(words)}
    if args.get("longest"):
        result["longest"] = max(words, key=len)
    return json.dumps(result)
`,
    "__init__.py": `"""Registers the tool and the hook."""

import logging

from . import schemas, tools

logger = logging.getLogger(__name__)


def _on_post_tool_call(tool_name, **kwargs):
    logger.debug("Tool called: %s", tool_name)


def register(ctx):
    ctx.register_tool(name="${word}_count", toolset="${name}", schema=schemas.COUNT, handler=tools.count)
    ctx.register_hook("post_tool_call", _on_post_tool_call)
`,
    "README.md": readme(name, word, "`python3 -m unittest discover tests` runs the unit tests."),
    "tests/calls.jsonl": calls(word),
    "tests/test_tools.py": `import importlib.util
import json
import pathlib
import unittest

_FILE = pathlib.Path(__file__).resolve().parent.parent / "tools.py"
_SPEC = importlib.util.spec_from_file_location("tools", _FILE)
tools = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(tools)


class CountTest(unittest.TestCase):
    def test_words_are_counted(self):
        self.assertEqual(json.loads(tools.count({"text": "one two three"})), {"words": 3})

    def test_no_words_is_an_error_and_no_exception(self):
        self.assertIn("error", json.loads(tools.count({})))


if __name__ == "__main__":
    unittest.main()
`,
  };
}
