/** The model chooses a tool by these descriptions. */
export const CALCULATE = {
  name: "calculate",
  description:
    "Evaluate a mathematical expression and return the result. " +
    "Supports arithmetic (+, -, *, /, **), functions (sqrt, sin, cos, " +
    "log, abs, round, floor, ceil), and constants (pi, e). " +
    "Use this for any math the user asks about.",
  parameters: {
    type: "object",
    properties: {
      expression: { type: "string", description: "Math expression to evaluate (e.g., '2**10', 'sqrt(144)')" },
    },
    required: ["expression"],
  },
} as const;

export const UNIT_CONVERT = {
  name: "unit_convert",
  description:
    "Convert a value between units. Supports length (m, km, mi, ft, in), " +
    "weight (kg, lb, oz, g), temperature (C, F, K), data (B, KB, MB, GB, TB), " +
    "and time (s, min, hr, day).",
  parameters: {
    type: "object",
    properties: {
      value: { type: "number", description: "The numeric value to convert" },
      from_unit: { type: "string", description: "Source unit (e.g., 'km', 'lb', 'F', 'GB')" },
      to_unit: { type: "string", description: "Target unit (e.g., 'mi', 'kg', 'C', 'MB')" },
    },
    required: ["value", "from_unit", "to_unit"],
  },
} as const;
