"""Whether a web address leads to a private network. `ctx.fetch` checks that itself, and connects to the address it
checked.
"""

import asyncio
import ipaddress
import socket
from urllib.parse import urljoin, urlparse


def is_safe_url(url):
    try:
        parsed = urlparse(url)
        if parsed.scheme not in ("http", "https") or not parsed.hostname:
            return False
        found = {entry[4][0].split("%")[0] for entry in socket.getaddrinfo(parsed.hostname, None)}
    except (ValueError, OSError):
        return False
    return bool(found) and all(ipaddress.ip_address(one).is_global for one in found)


async def async_is_safe_url(url):
    """The same, while other work continues."""
    return await asyncio.get_running_loop().run_in_executor(None, is_safe_url, url)


def redirect_target_from_response(response):
    """The redirect target of an httpx response, or None. Inside its hooks only the header has it."""
    location = response.headers.get("location") if getattr(response, "is_redirect", False) else None
    if location:
        return urljoin(str(response.url), location)
    following = getattr(response, "next_request", None)
    return None if following is None else str(following.url)
