import {
  NEXT_OBJECT,
  bareHarmony,
  between,
  deepseek,
  each,
  gemma,
  guessed,
  guesses,
  harmony,
  invoked,
  json,
  keyed,
  keyedByName,
  legacyInvoked,
  listed,
  named,
  splitAt,
  tagged,
  whole,
  type FormattedCall,
} from "./call-readers.ts";
import { looseCalls, pythonCalls } from "./loose-calls.ts";

export interface Format {
  readonly begin: string;
  /** Closing tag of the format, if present; some models omit the last one. */
  readonly end?: string;
  /** Models of this format go on with text behind the closing tag. */
  readonly textFollows?: true;
  /** @param ended Whether the closing tag is there, so that the text is complete. */
  readonly read: (inside: string, ended: boolean) => readonly FormattedCall[] | undefined;
}

/** Formats that are a tag around JSON: of InternLM, Nemotron, Hunyuan and Jamba. */
const JSON_WRAPPERS: readonly (readonly [begin: string, end: string])[] = [
  ["<|action_start|><|plugin|>", "<|action_end|>"],
  ["<TOOLCALL>", "</TOOLCALL>"],
  ["<tool_calls>", "</tool_calls>"],
];

/** By what they begin with. The first whose mark is in the text is its format. */
export const FORMATS: readonly Format[] = [
  {
    begin: "<tool_call>",
    end: "</tool_call>",
    read: (inside, ended) =>
      inside.startsWith("[")
        ? listed(inside)
        : each(
            inside.split(/<\/tool_call>\s*<tool_call>/),
            (one) => tagged(one) ?? keyed(one) ?? whole(one) ?? guessed(one, ended),
          ),
  },
  {
    begin: "<minimax:tool_call>",
    end: "</minimax:tool_call>",
    read: (inside) => between(inside, "<invoke ", "</invoke>", invoked),
  },
  ...["function_calls", "tool_calls"].map((name) => ({
    begin: `<｜DSML｜${name}>`,
    end: `</｜DSML｜${name}>`,
    read: (inside: string) => between(inside.replaceAll("｜DSML｜", ""), "<invoke ", "</invoke>", invoked),
  })),
  {
    begin: "<|tool_call>call:",
    end: "<tool_call|>",
    read: (inside) => each(inside.split(/<tool_call\|>\s*<\|tool_call>call:/), gemma),
  },
  {
    begin: "<start_function_call>call:",
    end: "<end_function_call>",
    read: (inside) =>
      each(inside.replaceAll("<escape>", '<|"|>').split(/<end_function_call>\s*<start_function_call>call:/), gemma),
  },
  ...JSON_WRAPPERS.map(([begin, end]) => ({
    begin,
    end,
    read: (inside: string) => (inside.startsWith("[") ? listed(inside) : each([inside], whole)),
  })),
  {
    begin: "<|tool_call_start|>",
    end: "<|tool_call_end|>",
    textFollows: true,
    read: (inside) => pythonCalls(inside) ?? listed(inside),
  },
  {
    begin: "<seed:tool_call>",
    end: "</seed:tool_call>",
    read: (inside) => each(inside.split(/(?<=<\/function>)\s*(?=<function=)/), tagged),
  },
  {
    begin: "<|tools_prefix|>",
    end: "<|tools_suffix|>",
    read: (inside) => {
      const list = json(inside);
      return Array.isArray(list)
        ? each(
            list.map((one) => JSON.stringify(one)),
            keyedByName,
          )
        : undefined;
    },
  },
  {
    begin: "<｜tool_calls_begin｜>",
    end: "<｜tool_calls_end｜>",
    read: (inside) =>
      between(inside.replaceAll("steptml:", ""), "<｜tool_call_begin｜>", "<｜tool_call_end｜>", (one) => {
        const [, call] = /^function<｜tool_sep｜>\s*<invoke ([\s\S]*?)<\/invoke>\s*$/.exec(one) ?? [];
        return call === undefined ? undefined : invoked(call);
      }),
  },
  {
    begin: "<|python_start|>",
    end: "<|python_end|>",
    read: (inside) =>
      /^\[\s*\{/.test(inside) ? listed(inside) : (each(inside.split(NEXT_OBJECT), whole) ?? pythonCalls(inside)),
  },
  {
    begin: "<|tool_call|>",
    end: "<|/tool_call|>",
    read: (inside) => (inside.startsWith("[") ? listed(inside) : each([inside], whole)),
  },
  {
    begin: "<|START_ACTION|>",
    end: "<|END_ACTION|>",
    read: (inside) => looseCalls(inside)?.calls.map((call) => ({ ...call, exact: false })),
  },
  { begin: "<|channel|>commentary to=", end: "<|call|>", read: (inside) => each([inside], harmony) },
  { begin: "<|start|>assistant to=", end: "<|call|>", read: (inside) => each([inside], harmony) },
  { begin: "<|channel|>analysis to=", end: "<|call|>", read: (inside) => guesses(each([inside], harmony)) },
  // A server took the tokens away.
  { begin: "commentary to=functions.", read: (inside) => guesses(each([inside], bareHarmony)) },
  {
    begin: "<|tool_calls_section_begin|>",
    end: "<|tool_calls_section_end|>",
    read: (inside) =>
      between(inside, "<|tool_call_begin|>", "<|tool_call_end|>", (one) =>
        named(one.split("<|tool_call_argument_begin|>")),
      ),
  },
  {
    begin: "<|tool_call_begin|>",
    read: (inside) =>
      each(inside.replace(/<\|tool_call_end\|>$/, "").split(/<\|tool_call_end\|>\s*<\|tool_call_begin\|>/), (one) =>
        named(one.split("<|tool_call_argument_begin|>")),
      ),
  },
  {
    begin: "<｜tool▁calls▁begin｜>",
    end: "<｜tool▁calls▁end｜>",
    read: (inside) => between(inside, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", deepseek),
  },
  {
    begin: "<｜tool▁call▁begin｜>",
    end: "<｜tool▁call▁end｜>",
    read: (inside) => each(inside.split(/<｜tool▁call▁end｜>\s*<｜tool▁call▁begin｜>/), deepseek),
  },
  {
    begin: "<function_calls>",
    end: "</function_calls>",
    read: (inside) =>
      between(inside, "<invoke ", "</invoke>", invoked) ??
      guesses(pythonCalls(inside) ?? between(inside, "<invoke>", "</invoke>", legacyInvoked)),
  },
  {
    begin: '<invoke name="',
    end: "</invoke>",
    read: (inside) => guesses(between(`<invoke name="${inside}`, "<invoke ", "</invoke>", invoked)),
  },
  {
    begin: "[TOOL_CALLS]",
    read: (inside) =>
      inside.startsWith("[{")
        ? listed(inside)
        : each(inside.split("[TOOL_CALLS]"), (one) =>
            named(splitAt(one.replace(/\[CALL_ID\][\w-]*/, ""), one.includes("[ARGS]") ? "[ARGS]" : "{")),
          ),
  },
  {
    begin: "<|python_tag|>",
    read: (inside) => each(inside.split(NEXT_OBJECT), whole) ?? guesses(pythonCalls(inside.replace(/\.call\(/g, "("))),
  },
  {
    begin: "<function=",
    end: "</function>",
    read: (inside) => each(inside.split(/<\/function>\s*<function=/), (one) => tagged(`<function=${one}</function>`)),
  },
];
