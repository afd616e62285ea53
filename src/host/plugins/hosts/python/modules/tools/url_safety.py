"""Whether an address on the web leads to somewhere private. `ctx.fetch` asks that itself, and holds on to what it was told."""

import ipaddress
import socket
from urllib.parse import urlparse


def is_safe_url(url):
    try:
        parsed = urlparse(url)
        if parsed.scheme not in ("http", "https") or not parsed.hostname:
            return False
        found = {entry[4][0].split("%")[0] for entry in socket.getaddrinfo(parsed.hostname, None)}
    except (ValueError, OSError):
        return False
    return bool(found) and all(ipaddress.ip_address(one).is_global for one in found)
