import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS } from "./call-formats.ts";
import { textualCalls, unreadableCall } from "./textual-calls.ts";
import { CALL_MARKS, mayHoldCall, WordsOnTheWay } from "./words-on-the-way.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";

const OFFERED = new Set(["read_file", "terminal", "todo"]);
const READ = { tool: "read_file", args: '{"path":"a.txt"}' };
const RUN = { tool: "terminal", args: '{"command":"ls"}' };

const MARKED: readonly (readonly [string, readonly { readonly tool: string; readonly args: string }[]])[] = [
  ['<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>', [READ]],
  ['<tool_call>{"name":"read_file","arguments":"{\\"path\\":\\"a.txt\\"}"}</tool_call>', [READ]],
  ['<tool_call>{"name":"read_file","parameters":{"path":"a.txt"}}', [READ]],
  [
    '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>\n<tool_call>{"name":"terminal","arguments":{"command":"ls"}}</tool_call>',
    [READ, RUN],
  ],
  ["<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>", [READ]],
  ["<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>", [READ]],
  ['<function=read_file>{"path":"a.txt"}</function>', [READ]],
  ['<|python_tag|>{"name": "read_file", "parameters": {"path": "a.txt"}}<|eom_id|>', [READ]],
  [
    '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.txt"}}, {"name": "terminal", "arguments": {"command": "ls"}}]',
    [READ, RUN],
  ],
  ['[TOOL_CALLS]read_file{"path":"a.txt"}', [READ]],
  ['[TOOL_CALLS]read_file[ARGS]{"path":"a.txt"}[TOOL_CALLS]terminal[ARGS]{"command":"ls"}', [READ, RUN]],
  [
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
    [READ],
  ],
  [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a.txt"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [READ],
  ],
  [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [READ],
  ],
  [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    [READ],
  ],
];

// req: R-66
test("finds calls at the end of an answer in the formats that models are trained with", () => {
  for (const [text, calls] of MARKED) {
    assert.deepEqual(textualCalls(text, OFFERED), { text: "", calls, marked: true }, text);
    assert.deepEqual(
      textualCalls(`I look at it.\n\n${text}\n`, OFFERED),
      { text: "I look at it.", calls, marked: true },
      text,
    );
  }
});

// req: R-66
test("bare JSON that is the whole answer is a call, and is marked as bare", () => {
  const bare = [
    '{"name":"read_file","arguments":{"path":"a.txt"}}',
    '```json\n{"name": "read_file", "parameters": {"path": "a.txt"}}\n```',
    '[{"name":"read_file","arguments":{"path":"a.txt"}}]',
    '{"id":"1","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"a.txt\\"}"}}',
  ];
  for (const text of bare)
    assert.deepEqual(textualCalls(text, OFFERED), { text: "", calls: [READ], marked: false }, text);
});

test("leaves text alone that only resembles a call: other names or keys, text after it, a quotation, a cut-off call", () => {
  const words = [
    "",
    "Done.",
    '{"name":"make_coffee","arguments":{}}',
    '{"name":"read_file","arguments":{"path":"a"},"comment":"an example"}',
    '{"name":"read_file"}',
    'Like this: {"name":"read_file","arguments":{"path":"a.txt"}}',
    '{"name":"read_file","arguments":{"path":"a.txt"}} would read it.',
    '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call> is how a call looks.',
    'A call:\n```\n<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>\n```',
    '<tool_call>{"name":"read_file","arguments":{"path":"a.t',
    "<tool_call></tool_call>",
    '<tool_call>{"name":"READ_FILE","arguments":{"path":"a.txt"}}</tool_call>',
    '<tool_call>{"name":"read_file","arguments":{}}</tool_call><tool_call>{"name":"make_coffee","arguments":{}}</tool_call>',
    "<function=read_file><parameter=path>a</parameter><parameter=path>b</parameter></function>",
    "<function=read_file>nonsense</function>",
    "[TOOL_CALLS]read_file",
    '<function_calls>and <invoke name="read_file"></invoke></function_calls>',
    "The tag <tool_call> begins a call.",
    "x".repeat(500_000) + '<tool_call>{"name":"read_file","arguments":{}}',
  ];
  for (const text of words) assert.equal(textualCalls(text, OFFERED), undefined, text.slice(0, 80));
});

test("parses hostile text of great length in linear time", () => {
  const watch = new Stopwatch();
  for (const text of [
    "<function=read_file>" + "<parameter=a>".repeat(20_000),
    "<tool_call>".repeat(30_000),
    "[TOOL_CALLS]".repeat(30_000),
    "```json\n" + "\n".repeat(390_000),
    "<function_calls>" + "<invoke ".repeat(40_000),
  ])
    textualCalls(text, OFFERED);
  watch.assertWithin(5_000);
});

test("streaming holds back text at the start marks of the known formats", () => {
  assert.deepEqual(
    CALL_MARKS,
    FORMATS.map(({ begin }) => begin),
  );
});

test("skips text without a mark of a call, and every format has such a mark", () => {
  assert.deepEqual(["Done.", "It's 5 > 3, and a = b; see `x`.", ""].filter(mayHoldCall), []);
  const forms = [...CALL_MARKS, '{"name":1}', "read_file(path='a')", "Action: terminal\nAction Input: x", "action :\n"];
  assert.deepEqual(forms.filter(mayHoldCall), forms);
});

test("streams text as it arrives, up to where a call may begin", () => {
  const shown = (pieces: readonly string[]) => {
    const words = new WordsOnTheWay();
    return [...pieces.map((piece) => words.take(piece)), words.pending];
  };
  assert.deepEqual(shown(["if a <", " b and x[", "0] <tool", "s> then", ""]), [
    "if a ",
    "< b and x",
    "[0] ",
    "<tools> then",
    "",
    "",
  ]);
  assert.deepEqual(shown(["I look.\n<tool_", 'call>{"name"', ":1}", " <b>"]), [
    "I look.\n",
    "",
    "",
    "",
    '<tool_call>{"name":1} <b>',
  ]);
  assert.deepEqual(shown(["wait [TOOL", "_CALLS"]), ["wait ", "", "[TOOL_CALLS"]);
});

test("shows a character split between two chunks whole, never half of it", () => {
  const words = new WordsOnTheWay();
  assert.deepEqual(
    ["x\ud83d", "\ude00y", "\udc00", "z\ud83d"].map((text) => words.take(text)),
    ["x", "😀y", "\ufffd", "z"],
  );
  assert.equal(words.pending, "\ud83d");
});

// field: M14
test("finds calls in looser formats, but only exact formats may do more than read", () => {
  const exact = [
    "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
    "<tool_call>read_file<arg_key>path</arg_key><arg_value>a.txt</arg_value></tool_call>",
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    '<tool_call>[{"name":"read_file","arguments":{"path":"a.txt"}}]</tool_call>',
    '<|tool_call|>[{"name":"read_file","arguments":{"path":"a.txt"}}]<|/tool_call|>',
    '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a.txt"}<|call|>',
    '<tool_call>{"name":"default_api.read_file","arguments":{"path":"a.txt"}}</tool_call>',
  ];
  for (const text of exact)
    assert.deepEqual(textualCalls(text, OFFERED), { text: "", calls: [READ], marked: true }, text);
  const guessed = [
    '[read_file(path="a.txt")]',
    "read_file(path='a.txt')",
    '```tool_code\nprint(default_api.read_file(path="a.txt"))\n```',
    '```python\nread_file(path="a.txt")\n```',
    '<tools>{"name":"read_file","arguments":{"path":"a.txt"}}</tools>',
    '<tool_use>\n{"name":"read_file","input":{"path":"a.txt"}}\n</tool_use>',
    "{“name”: “read_file”, “arguments”: {“path”: “a.txt”}}",
    "<tool_call>{“name”: “read_file”, “arguments”: {“path”: “a.txt”}}</tool_call>",
    '{"tool":"read_file","args":{"path":"a.txt"}}',
    '{"tool_name":"read_file","parameters":{"path":"a.txt"}}',
    '{"action":"read_file","action_input":{"path":"a.txt"}}',
    'functools[{"name":"read_file","arguments":{"path":"a.txt"}}]',
    '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"read_file","parameters":{"path":"a.txt"}}]<|END_ACTION|>',
    "<function=read_file>\n<parameter=path>\na.txt",
    'Action: read_file\nAction Input: {"path":"a.txt"}',
  ];
  for (const text of guessed)
    assert.deepEqual(textualCalls(text, OFFERED), { text: "", calls: [READ], marked: false }, text);
  assert.deepEqual(textualCalls('Thought: I look.\nAction: read_file\nAction Input: {"path":"a.txt"}', OFFERED), {
    text: "Thought: I look.",
    calls: [READ],
    marked: false,
  });
  assert.deepEqual(
    textualCalls(
      `[read_file(path='it\\'s', deep=[1, {"a": None}], on=True), terminal(command="echo \\"hi\\"")]`,
      OFFERED,
    ),
    {
      text: "",
      calls: [
        { tool: "read_file", args: JSON.stringify({ path: "it's", deep: [1, { a: null }], on: true }) },
        { tool: "terminal", args: JSON.stringify({ command: 'echo "hi"' }) },
      ],
      marked: false,
    },
  );
});

// field: M14
test("leaves code and prose alone that only resemble a call", () => {
  const words = [
    'Use read_file(path="a.txt") to see it.',
    "```python\nresult = read_file('a.txt')\nprint(result)\n```",
    "read_file('a.txt')",
    'def read_file(path="a.txt"): ...',
    "[read_file(path=name)]",
    '{"tool":"read_file","args":{"path":"a.txt"},"note":"x"}',
    "“read_file”",
    "<tools>none</tools>",
    "Action: read the file",
    "<tool_call>read_file</tool_call> is what it writes.",
  ];
  for (const text of words) assert.equal(textualCalls(text, OFFERED), undefined, text);
});

// field: M13
test("distinguishes an intended but unreadable call from text about calls", () => {
  const broken = [
    '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"',
    '<tool_call>{"name":"read_file","arguments":{"path":"a.t',
    'I look.\n<tool_call>\n{"name": "read_file", "arguments": {path: a.txt}}\n</tool_call>',
    '[TOOL_CALLS][{"name":"read_file","arguments":{"path":"a.txt"}',
    "<function=read_file>nonsense</function>",
    '<minimax:tool_call><invoke name="read_file"><parameter name="path">a.txt</invoke></minimax:tool_call>',
    '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>\n\nI wait for the result.',
  ];
  for (const text of broken) {
    assert.equal(textualCalls(text, OFFERED), undefined, text);
    assert.equal(unreadableCall(text, OFFERED)?.tool, "read_file", text);
  }
  const words = [
    "The tag <tool_call> begins a call of read_file.",
    '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}</tool_call> is how a broken call looks.',
    'A call:\n```\n<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}\n</tool_call>\n```',
    "<tool_call>\nread_files are many",
    "Done.",
  ];
  for (const text of words) assert.equal(unreadableCall(text, OFFERED), undefined, text);
});
