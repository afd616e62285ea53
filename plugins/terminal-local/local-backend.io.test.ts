import { quietLog, terminalContract } from "hermes-agent/testing";
import { LocalBackend } from "./local-backend.ts";

terminalContract("local", () => new LocalBackend({ auto_source_bashrc: false }, quietLog()), { kind: "real" });
