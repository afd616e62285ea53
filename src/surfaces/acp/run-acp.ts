import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { EXIT } from "../shared/process/exit-code.ts";
import { reportNotices } from "../shared/process/notices.ts";
import type { Io } from "../shared/process/io.ts";
import { onHangup } from "../shared/process/on-hangup.ts";
import { EditorServer } from "./editor-server.ts";
import { takeStdout } from "./take-stdout.ts";

/** `hermes acp`: serves the editor that started it, until the editor disconnects or a signal stops this process. */
export async function runAcp(app: App, io: Io): Promise<number> {
  const { input, output } = takeStdout();
  reportNotices(io, app.notices);
  const over = new AbortController();
  const server = new EditorServer(app, over.signal);
  const connection = server.protocol().connect(ndJsonStream(output, input));
  // A bug in one plugin must not end all conversations of the editor.
  process.setUncaughtExceptionCaptureCallback((cause) =>
    app.log.error("Uncaught exception; the ACP server continues.", { cause }),
  );
  const stop = (): void => connection.close();
  process.on("SIGTERM", stop).on("SIGINT", stop);
  using _hangup = onHangup(stop);
  try {
    await connection.closed;
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
    process.off("SIGTERM", stop).off("SIGINT", stop);
    over.abort(new Error("the editor disconnected"));
    await server.close();
  }
  return EXIT.ok;
}
