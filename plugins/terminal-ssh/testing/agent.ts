/**
 * An agent that opens a terminal and stays, for tests that kill it. The argument is what `Synced.setUp` says, as JSON.
 */
import { SshBackend } from "../ssh-backend.ts";

const { config, agent } = JSON.parse(process.argv[2]!);
const terminal = await new SshBackend(config, agent).open({ key: "task" }, new AbortController().signal);
await terminal.run("sleep 300", { signal: new AbortController().signal, timeoutMs: 300_000 });
