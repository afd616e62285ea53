import { imageContract } from "hermes-agent/testing";
import { swatches } from "./index.ts";

imageContract("swatches", async () => swatches, { prompt: "something blue", refused: "something loud" });
