"""Shared code of adapters: duplicate messages, texts that a client split, threads with the agent, Markdown for
platforms without it.
"""

import asyncio
import json
import re
import time

from _hermes_bridge.home import root


class MessageDeduplicator:
    """Numbers of messages that came in, each remembered for `ttl_seconds`, at most `max_size` of them."""

    def __init__(self, max_size=2000, ttl_seconds=300):
        self._max_size = max_size
        self._ttl = ttl_seconds
        self._seen = {}

    def is_duplicate(self, msg_id):
        """Whether it was seen before; from now on it counts as seen."""
        if not msg_id:
            return False
        if self.contains(msg_id):
            return True
        self._seen.pop(msg_id, None)
        self._seen[msg_id] = time.monotonic()
        while len(self._seen) > self._max_size:
            del self._seen[next(iter(self._seen))]
        return False

    def contains(self, msg_id):
        at = self._seen.get(msg_id)
        return at is not None and time.monotonic() - at < self._ttl

    def discard(self, msg_id):
        """It could not be passed on: the next time it counts as new."""
        self._seen.pop(msg_id, None)

    def clear(self):
        self._seen.clear()


class TextBatchAggregator:
    """Joins texts that arrive in quick succession under a key, because clients split long ones, and passes them on as
    one message.
    """

    def __init__(self, handler, *, batch_delay=0.6, split_delay=2.0, split_threshold=4000):
        self._handler = handler
        self._delay = batch_delay
        self._split_delay = split_delay
        self._threshold = split_threshold
        self._waiting = {}
        self._tasks = {}

    def is_enabled(self):
        return self._delay > 0

    def enqueue(self, event, key):
        before = self._waiting.get(key)
        length = len(event.text or "")
        if before is None:
            self._waiting[key] = event
        elif event.text:
            before.text = "%s\n%s" % (before.text, event.text) if before.text else event.text
        if key in self._tasks:
            self._tasks[key].cancel()
        # A text of the maximum length probably has more behind it.
        self._tasks[key] = asyncio.ensure_future(
            self._flush(key, self._split_delay if length >= self._threshold else self._delay)
        )

    async def _flush(self, key, delay):
        await asyncio.sleep(delay)
        self._tasks.pop(key, None)
        event = self._waiting.pop(key, None)
        if event is not None:
            await self._handler(event)

    def cancel_all(self):
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        self._waiting.clear()


class ThreadParticipationTracker:
    """Threads in which the agent wrote, stored across restarts."""

    def __init__(self, platform_name, max_tracked=500):
        self._file = root() / ("%s_threads.json" % platform_name)
        self._max = max_tracked
        try:
            saved = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            saved = []
        self._threads = dict.fromkeys(str(one) for one in (saved if isinstance(saved, list) else []))

    def mark(self, thread_id):
        thread_id = str(thread_id)
        if not thread_id or thread_id in self._threads:
            return
        self._threads[thread_id] = None
        while len(self._threads) > self._max:
            del self._threads[next(iter(self._threads))]
        self._save()

    def _save(self):
        beside = self._file.with_suffix(".json.new")
        try:
            beside.write_text(json.dumps(list(self._threads)), encoding="utf-8")
            beside.replace(self._file)
        except OSError:
            pass  # It is remembered until the process ends.

    def __contains__(self, thread_id):
        return str(thread_id) in self._threads

    def clear(self):
        self._threads.clear()
        self._save()


_MARKS = [
    (re.compile(r"```[^\n`]*\n?(.*?)```", re.S), r"\1"),
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]+\)"), r"\1"),
    (re.compile(r"^#{1,6}[ \t]+", re.M), ""),
    (re.compile(r"(\*\*\*|\*\*|\*)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(__|_)(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"~~(.+?)~~"), r"\1"),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
]


def strip_markdown(text):
    """For platforms that show Markdown unrendered."""
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def redact_phone(phone):
    if not phone:
        return "<none>"
    return "****" if len(phone) < 8 else "%s****%s" % (phone[:4], phone[-4:])


def is_table_row(line):
    return "|" in line.strip().strip("|") or (
        line.strip().startswith("|") and line.strip().endswith("|") and len(line.strip()) > 1
    )


def split_markdown_table_row(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def convert_table_to_bullets(text):
    """Each row of a Markdown table as its first cell and a line for each further one, for platforms without columns."""
    lines = text.split("\n")
    out = []
    at = 0
    while at < len(lines):
        if (
            at + 1 < len(lines)
            and is_table_row(lines[at])
            and re.fullmatch(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*", lines[at + 1])
        ):
            heads = split_markdown_table_row(lines[at])
            at += 2
            rows = []
            while at < len(lines) and is_table_row(lines[at]):
                cells = split_markdown_table_row(lines[at])
                rows.append(
                    "\n".join(
                        ["**%s**" % cells[0]]
                        + ["• %s: %s" % (head, cell) for head, cell in list(zip(heads, cells))[1:] if cell]
                    )
                )
                at += 1
            out.append("\n\n".join(rows))
        else:
            out.append(lines[at])
            at += 1
    return "\n".join(out)
