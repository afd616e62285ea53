import type { Plugin } from "hermes-agent/plugin";
import { NotesMemory } from "./notes-memory.ts";

const register: Plugin = (ctx) => {
  ctx.register_memory_provider(new NotesMemory());
};

export default register;
