/**
 * Starts the programs of one run, watches them, and ends all of them when one has ended or it gets SIGTERM. It outlives
 * the agent and
 * writes its state to the run's file before each step. Its order comes through stdin and contains the keys, which it
 * passes only to the programs that need them and never writes. It prints only `ready`, or the reason why not.
 */
export const STARTER_SCRIPT = String.raw`
import json, os, queue, signal, socket, subprocess, sys, threading, time

if sys.version_info[:2] < (3, 11):
    print("old %d.%d" % sys.version_info[:2], flush=True)
    sys.exit(3)
order = json.loads(sys.stdin.buffer.read())
events = queue.SimpleQueue()
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda *_: events.put(("stop", None)))
signal.signal(signal.SIGHUP, lambda *_: None)
mark = b"HERMES_RL_RUN=" + order["run_id"].encode()

def born(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as held:
            ticks = held.read().rsplit(b")", 1)[1].split()[19].decode()
        with open("/proc/sys/kernel/random/boot_id") as held:
            return held.read().strip() + " " + ticks
    except OSError:
        return subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()

state = {"run_id": order["run_id"], "status": "starting", "error": "", "started_at": None, "ended_at": None, "starter": {"pid": os.getpid(), "born": born(os.getpid())}, "processes": {}}

def keep(**changed):
    state.update(changed)
    beside = order["state"] + ".new"
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as held:
        json.dump(state, held)
        held.flush()
        os.fsync(held.fileno())
    os.replace(beside, order["state"])

class Failed(Exception):
    pass

class Running:
    def __init__(self, program):
        self.name, self.label, self.log = program["name"], program["label"], program["log"]
        state["processes"][self.name] = {"pid": None, "born": None, "code": None}
        keep()
        output = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            self.child = subprocess.Popen(program["argv"], cwd=order["cwd"], env={**order["env"], **program["env"]}, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as why:
            raise Failed("%s could not be started: %s" % (self.label, why))
        finally:
            os.close(output)
        self.over = threading.Event()
        state["processes"][self.name].update(pid=self.child.pid, born=born(self.child.pid))
        threading.Thread(target=self.await_end, daemon=True).start()
        running.append(self)
        keep()

    def await_end(self):
        # Leave it as a zombie, so that its PID is not reused before its group has ended.
        exited = os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOWAIT)
        state["processes"][self.name]["code"] = exited.si_status if exited.si_code == os.CLD_EXITED else -exited.si_status
        self.over.set()
        events.put((self.name, state["processes"][self.name]["code"]))

    def send(self, number):
        try:
            os.killpg(self.child.pid, number)
        except OSError:
            pass

    def end(self):
        self.send(signal.SIGTERM)
        self.over.wait(order["grace"])
        self.send(signal.SIGKILL)
        self.over.wait(5)
        self.child.wait()

running = []

def next_event(seconds):
    try:
        return events.get(timeout=seconds) if seconds is not None else events.get()
    except queue.Empty:
        return None

def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 0.5).close()
        return True
    except OSError:
        return False

def start(program):
    """True once it answers, or still runs after its wait time; false when the run must stop."""
    one = Running(program)
    until = time.monotonic() + program["wait"]
    while True:
        left = until - time.monotonic()
        event = next_event(max(0.0, min(0.25, left)))
        if event is not None:
            if event[0] == "stop":
                return False
            ended = next(each for each in running if each.name == event[0])
            raise Failed("%s exited with code %s before the run started. Log: %s" % (ended.label, event[1], ended.log))
        if left <= 0 or (program["port"] is not None and answers(program["port"])):
            return True

def judged(name, code):
    one = next(each for each in running if each.name == name)
    if name != "api" and code == 0:
        return "completed", ""
    return "failed", "%s exited with code %s. Log: %s" % (one.label, code, one.log)

def left_over():
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        try:
            if name.isdigit() and int(name) != os.getpid():
                with open("/proc/%s/environ" % name, "rb") as held:
                    if mark in held.read().split(b"\0"):
                        yield int(name)
        except OSError:
            pass

def end_all():
    for one in reversed(running):
        one.end()
    for pid in left_over():
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass

outcome = ("stopped", "")
try:
    keep()
    print("ready", flush=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if all(start(program) for program in order["programs"]):
        keep(status="running", started_at=time.time())
        event = next_event(None)
        if event[0] != "stop":
            outcome = judged(*event)
except Failed as why:
    outcome = ("failed", str(why))
except BaseException as why:
    outcome = ("failed", "The run's starter failed: %s" % why)
finally:
    try:
        keep(status="stopping", outcome=outcome[0], error=outcome[1])
    finally:
        end_all()
    keep(status=outcome[0], ended_at=time.time())
`;
