import type { JsonObject } from "hermes-agent/plugin";

/** Result keys of a read_file error without content. */
export const NO_PAGE: JsonObject = {
  content: "",
  total_lines: 0,
  file_size: 0,
  truncated: false,
  is_binary: false,
  is_image: false,
};
