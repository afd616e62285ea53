/** A Bash command that starts the runner. It reads the runner from stdin: a line with the length, then the code. */
export function runnerCommand(mode: "project" | "strict"): string {
  const find = mode === "strict" ? "p=$(command -pv python3) || p=$(type -P python3)" : "p=$(type -P python3)";
  return `${find} || { echo "no python3 on PATH" >&2; exit 127; }; exec "$p" -I -c 'import sys; exec(compile(sys.stdin.buffer.read(int(sys.stdin.buffer.readline())), "hermes-runner", "exec"))'`;
}

/**
 * Runs in the terminal environment, between the agent and the script. Each line that it writes begins with a word that
 * is secret to this
 * run, to tell it from output of a profile or the script. Commands to it: `A` passes an answer to the script, `S` stops
 * the script. It stores only the part of the script's output that is shown.
 */
export const RUNNER = String.raw`
import fcntl, json, os, queue, shutil, signal, subprocess, sys, tempfile, threading, time

orders = sys.stdin.buffer
start = json.loads(orders.readline())
saying = threading.Lock()

def say(**words):
    data = memoryview((start["word"] + " " + json.dumps(words) + "\n").encode())
    with saying:
        while data:
            data = data[os.write(1, data):]

class Kept:
    """The beginning of a stream and its end, each up to a limit."""
    def __init__(self, head, tail):
        self.head, self.tail, self.total, self.most_head, self.most_tail = bytearray(), bytearray(), 0, head, tail

    def add(self, data):
        self.total += len(data)
        room = self.most_head - len(self.head)
        self.head += data[:room] if room > 0 else b""
        self.tail += data[max(room, 0):]
        if len(self.tail) > self.most_tail * 2:
            del self.tail[:len(self.tail) - self.most_tail]

    def report(self):
        tail = self.tail[len(self.tail) - self.most_tail:] if len(self.tail) > self.most_tail else self.tail
        gap = self.total - len(self.head) - len(tail)
        if gap == 0:
            return {"head": (self.head + tail).decode("utf-8", "replace"), "tail": "", "total": self.total, "omitted": 0}
        return {"head": self.head.decode("utf-8", "ignore"), "tail": tail.decode("utf-8", "ignore"), "total": self.total, "omitted": gap}

def pump(source, kept, shows):
    shown = 0
    while True:
        data = os.read(source, 65536)
        if not data:
            return
        with keeping:
            kept.add(data)
        if shows and time.monotonic() - shown > 0.5:
            shown = time.monotonic()
            say(kind="progress", text=data[-400:].decode("utf-8", "replace"))

def take_calls(source):
    with os.fdopen(source, "rb") as calls:
        while True:
            line = calls.readline(start["most_call_bytes"] + 1)
            if not line:
                return
            if len(line) > start["most_call_bytes"]:
                say(kind="call", line="")
                while line and not line.endswith(b"\n"):
                    line = calls.readline(65536)
            else:
                say(kind="call", line=line.decode("utf-8", "replace"))

def pass_answers(target):
    try:
        while True:
            data = memoryview(answers.get())
            while data:
                data = data[os.write(target, data):]
    except OSError:
        pass

def kill(how):
    try:
        os.killpg(script.pid, how)
    except OSError:
        pass

def obey():
    for line in orders:
        if line[:1] == b"A":
            answers.put(bytes(line[1:]))
        elif line[:1] == b"S":
            # On an interrupt Python flushes its buffers; on a kill it does not.
            kill(signal.SIGINT)
            time.sleep(start["grace"])
            kill(signal.SIGKILL)
    leave()

def leave(*_):
    kill(signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)

def sweep():
    """Removes folders of killed runners: old ones of this user that no process has locked."""
    above = os.path.dirname(folder)
    for name in os.listdir(above):
        path = os.path.join(above, name)
        try:
            seen = os.lstat(path) if name.startswith("hermes-code-") else None
            if seen is None or seen.st_uid != os.getuid() or time.time() - seen.st_mtime < 3600:
                continue
            with open(os.path.join(path, "hermes_tools.py")) as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass

folder = tempfile.mkdtemp(prefix="hermes-code-")
try:
    call_in, call_out = os.pipe()
    answer_in, answer_out = os.pipe()
    ways = "_to, _from, _runner = %d, %d, %d" % (call_out, answer_in, os.getpid())
    for name, text in (("script.py", start["code"]), ("hermes_tools.py", start["module"].replace(start["ways"], ways, 1))):
        with open(os.path.join(folder, name), "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
    held = open(os.path.join(folder, "hermes_tools.py"))
    fcntl.flock(held, fcntl.LOCK_SH)
    environment = dict(os.environ, PYTHONUTF8="1", PYTHONIOENCODING="utf-8", PYTHONDONTWRITEBYTECODE="1")
    if start["strict"]:
        for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV"):
            environment.pop(name, None)
    else:
        environment["PYTHONPATH"] = os.pathsep.join([os.getcwd()] + [path for path in [environment.get("PYTHONPATH")] if path])
    script = subprocess.Popen([sys.executable, os.path.join(folder, "script.py")], cwd=folder if start["strict"] else None, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(call_out, answer_in), start_new_session=True)
    os.close(call_out)
    os.close(answer_in)
    signal.signal(signal.SIGTERM, leave)
    say(kind="begun")
    answers, keeping = queue.Queue(), threading.Lock()
    out, err = Kept(start["most_out"] * 2 // 5, start["most_out"] - start["most_out"] * 2 // 5), Kept(start["most_err"] * 2 // 5, start["most_err"] - start["most_err"] * 2 // 5)
    pumps = [threading.Thread(target=pump, args=(script.stdout.fileno(), out, True), daemon=True), threading.Thread(target=pump, args=(script.stderr.fileno(), err, False), daemon=True)]
    for target, args in ((take_calls, (call_in,)), (pass_answers, (answer_out,)), (obey, ()), (sweep, ())):
        threading.Thread(target=target, args=args, daemon=True).start()
    for one in pumps:
        one.start()
    code = script.wait()
    # Processes that the script left behind may keep its streams open.
    kill(signal.SIGKILL)
    for one in pumps:
        one.join(1)
    with keeping:
        say(kind="end", code=code, out=out.report(), err=err.report())
finally:
    shutil.rmtree(folder, ignore_errors=True)
os._exit(0)
`;
