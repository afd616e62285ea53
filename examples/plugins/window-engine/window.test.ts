import { contextContract } from "hermes-agent/testing";
import { windowEngine } from "./index.ts";

contextContract("window", async () => windowEngine, { long: 40 });
