"""Splits a long text so that each piece can be sent."""

# : Length of ` (12/34)`.
NUMBER_ROOM = 10
FENCE = "```"


def pieces_of(text, limit, length=len):
    """Cuts at a line's end, else at a gap, else anywhere. A code block that is cut is closed, and opened again in the
    next piece.
    """
    if limit <= 0 or length(text) <= limit:
        return [text]
    pieces, rest, opening = [], text, ""
    while rest:
        room = limit - NUMBER_ROOM - length(opening) - length("\n" + FENCE)
        if length(opening) + length(rest) <= limit - NUMBER_ROOM:
            pieces.append(opening + rest)
            break
        cut = _cut(rest, max(1, room), length)
        piece, rest = opening + rest[:cut].rstrip(), rest[cut:].lstrip("\n" if rest[cut - 1 : cut] == "\n" else " ")
        opening = _open_fence(piece)
        pieces.append(piece + ("\n" + FENCE if opening else ""))
    return ["%s (%d/%d)" % (piece, at + 1, len(pieces)) for at, piece in enumerate(pieces)]


def _cut(text, room, length):
    low, high = 1, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if length(text[:middle]) <= room else (low, middle - 1)
    for mark in ("\n", " "):
        at = text.rfind(mark, low // 2, low)
        if at > 0:
            return at + 1
    return low


def _open_fence(piece):
    """The line that opens the block which this piece leaves open, or nothing."""
    opening = ""
    for line in piece.split("\n"):
        if line.lstrip().startswith(FENCE):
            opening = "" if opening else line.lstrip() + "\n"
    return opening
