import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { answerOf, enabled, pythonCode, pythonPlugin, registersPython, withPython } from "../test/hosts-fixture.ts";

test("a Python plugin without PyYAML writes and reads integers of any size", withPython, async (t) => {
  const code = pythonCode(
    "from _hermes_bridge import yaml_fallback as yaml",
    `def trip(args, **k):
    data = {"id": 1234567890123456789, "ids": [2**64, -(2**53) - 1, 7, True], "text": "1234567890123456789", "none": None}
    text = yaml.safe_dump(data)
    return json.dumps([text, yaml.safe_load(text) == data])`,
    registersPython("trip"),
  );
  const { host } = await setUp(t, pythonPlugin("big", code), enabled("big")).start({}, { hosts: true });
  assert.deepEqual(JSON.parse(await answerOf(host, "trip")), [
    'id: 1234567890123456789\nids:\n  - 18446744073709551616\n  - -9007199254740993\n  - 7\n  - true\ntext: "1234567890123456789"\nnone: null\n',
    true,
  ]);
});
