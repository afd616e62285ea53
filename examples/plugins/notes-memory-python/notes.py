"""The file of notes."""

import json
import re
from pathlib import Path


def notes_file(home):
    return Path(home) / "notes-memory" / "notes.jsonl"


def add(file, note):
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(file, "a", encoding="utf-8") as out:
        out.write(json.dumps(note, ensure_ascii=False) + "\n")


def read(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line] if file.exists() else []


def search(file, query, most):
    """Those with the most words of the query, the newest first among equals."""
    wanted = words(query)
    scored = [(len(words(note["user"] + " " + note["assistant"]) & wanted), at, note) for at, note in enumerate(read(file))]
    return [note for score, _, note in sorted(scored, key=lambda one: (-one[0], -one[1])) if score > 0][:most]


def words(text):
    """Long enough to be significant."""
    return set(re.findall(r"\w{4,}", text.lower()))
