import { profileContract } from "hermes-agent/testing";
import { acme } from "./index.ts";

profileContract("acme", async () => acme);
