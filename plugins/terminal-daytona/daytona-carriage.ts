import { quoted, TerminalUnavailable } from "hermes-agent/plugin";
import { carrierFolder, carrierScript, type Carriage } from "hermes-agent/terminal";
import type { DaytonaClient, DaytonaSandboxState } from "./daytona-client.ts";

/** A request for output is answered by a sign of life at the latest, which comes more often than this. */
const POLL_S = 60;
const GONE = 75;
/** Of 64 kB each. */
const MAX_TAKEN = 48;

/**
 * A shell in a sandbox: its carrier is started by one request, output is waited for by two that are always open, input
 * is sent by others.
 */
export async function startCarriage(
  client: DaytonaClient,
  sandbox: DaytonaSandboxState,
  name: string,
  variables: Record<string, string>,
): Promise<Carriage> {
  const script = carrierScript({ name, carries: "nothing", variables });
  const started = await client.runScript(
    sandbox,
    `${carrierFolder(name)}
$(command -v setsid) bash -c ${quoted(script)} </dev/null >/dev/null 2>&1 &
for n in 1 2 3 4 5 6 7 8 9 10; do for m in 1 2 3 4 5 6 7 8 9 10; do [ -e "$d/frames" ] && exit 0; sleep 0.03; done; done
exit 70`,
    { timeoutS: 30 },
  );
  if (started.code !== 0)
    throw new TerminalUnavailable(
      `Cannot start a shell in the sandbox: ${started.output.trim().slice(-200) || `status ${started.code}`}`,
      { hint: "Its image needs bash, base64 and mkfifo." },
    );
  const stop = new AbortController();
  return {
    async send(lines) {
      const { code } = await client.runScript(
        sandbox,
        `${carrierFolder(name)}; [ -p "$d/i" ] || exit ${GONE}; printf '%s' '${lines}' 1<>"$d/i"`,
        { timeoutS: 60 },
      );
      if (code !== 0) throw new Error("the shell in the sandbox has ended");
    },
    output: poll("o"),
    errors: poll("e"),
    close: () => stop.abort(),
  };

  /** Waits for what comes, then takes what follows at once, up to some million bytes. */
  async function* poll(pipe: "o" | "e"): AsyncGenerator<string, void, undefined> {
    // Wait for more output only if the pipe was full. Output never goes through a variable: bash would read it in small
    // pieces.
    const take = `${carrierFolder(name)}; [ -p "$d/${pipe}" ] || exit ${GONE}; exec 3>&1
take() {
  r=$(LC_ALL=C dd "$@" bs=65536 <>"$d/${pipe}" 2>&1 >&3); r=\${r%% records in*}; r=\${r##*$'\\n'}; full=\${r%+*} part=\${r#*+}
  case $full$part in *[!0-9]*|"") full=0 part=0 ;; esac
}
take count=1; idle=0; size=0
[ $full = 1 ] && while [ $idle -lt 4 ] && [ $size -lt ${MAX_TAKEN} ]; do
  take iflag=nonblock count=16; size=$((size + full + part))
  if [ $((full + part)) = 0 ]; then idle=$((idle + 1)); sleep 0.02; else idle=0; fi
done; :`;
    while (!stop.signal.aborted) {
      const { code, output } = await client.runScript(sandbox, take, { timeoutS: POLL_S, signal: stop.signal });
      if (code !== 0) return;
      yield output;
    }
  }
}
