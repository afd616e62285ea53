import type { JsonObject } from "hermes-agent/plugin";
import { DivisionByZero } from "./arithmetic.ts";
import { evaluate } from "./evaluate.ts";
import { floatText, jsonText, plain, roundTo, type Numeric } from "./numbers.ts";

/** A handler gets the arguments and always returns a JSON string, even for an error. */
export function calculate(args: JsonObject): string {
  const expression = String(args.expression ?? "").trim();
  if (expression === "") return jsonText({ error: "No expression provided" });
  try {
    return jsonText({ expression, result: plain(evaluate(expression)) });
  } catch (error) {
    if (error instanceof DivisionByZero) return jsonText({ expression, error: "Division by zero" });
    return jsonText({ expression, error: `Invalid: ${error instanceof Error ? error.message : String(error)}` });
  }
}

/** Values in base units. */
const TABLES: readonly { readonly [unit: string]: number }[] = [
  { m: 1, km: 1000, mi: 1609.34, ft: 0.3048, in: 0.0254, cm: 0.01 },
  { kg: 1, g: 0.001, lb: 0.453592, oz: 0.0283495 },
  { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 },
  { s: 1, ms: 0.001, min: 60, hr: 3600, day: 86_400 },
];

export function unitConvert(args: JsonObject): string {
  const { value } = args;
  const from = String(args.from_unit ?? "").trim();
  const to = String(args.to_unit ?? "").trim();
  if (value === undefined || value === null || from === "" || to === "")
    return jsonText({ error: "Need value, from_unit, and to_unit" });
  if (typeof value !== "number")
    return jsonText({ error: `Conversion failed: could not convert string to float: '${String(value)}'` });
  const temperature = convertTemperature(value, from.toUpperCase(), to.toUpperCase());
  if (temperature !== undefined) return answer(value, from, to, roundTo(temperature, 4));
  for (const table of TABLES) {
    const [source, target] = [table[from.toLowerCase()], table[to.toLowerCase()]];
    if (source !== undefined && target !== undefined)
      return answer(value, from, to, roundTo((value * source) / target, 6));
  }
  return jsonText({ error: `Cannot convert ${from} → ${to}` });
}

function answer(value: number, from: string, to: string, result: number): string {
  const given: Numeric = Number.isInteger(value) && Math.abs(value) < 1e21 ? { int: BigInt(value) } : { float: value };
  return jsonText({
    input: `${"int" in given ? given.int : floatText(given.float)} ${from}`,
    result: { float: result },
    output: `${floatText(result)} ${to}`,
  });
}

function convertTemperature(value: number, from: string, to: string): number | undefined {
  if (!["C", "F", "K"].includes(from) || !["C", "F", "K"].includes(to)) return undefined;
  const celsius = from === "F" ? ((value - 32) * 5) / 9 : from === "K" ? value - 273.15 : value;
  return to === "F" ? (celsius * 9) / 5 + 32 : to === "K" ? celsius + 273.15 : celsius;
}
