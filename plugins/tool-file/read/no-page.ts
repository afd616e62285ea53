import type { JsonObject } from "hermes-agent/plugin";

/** What an error of read_file carries where there was nothing to read. */
export const NO_PAGE: JsonObject = {
  content: "",
  total_lines: 0,
  file_size: 0,
  truncated: false,
  is_binary: false,
  is_image: false,
};
