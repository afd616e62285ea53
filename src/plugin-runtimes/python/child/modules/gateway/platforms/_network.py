"""Addresses, proxies, and text lengths as services count them."""

import ipaddress
import os
from urllib.parse import urlsplit


def utf16_len(text):
    """As some services count: characters beyond the first plane count twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def safe_url_for_log(url, max_len=80):
    """Without parts that may be secret."""
    parsed = urlsplit(str(url or ""))
    place = (
        "%s://%s%s"
        % (parsed.scheme, (parsed.hostname or "") + (":%d" % parsed.port if parsed.port else ""), parsed.path)
        if parsed.scheme
        else parsed.path
    )
    return place if len(place) <= max_len else place[: max_len - 3] + "..."


def is_network_accessible(host):
    """Whether a server that listens there is reachable from other machines."""
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.strip().lower() not in ("", "localhost")


def resolve_proxy_url(platform_env_var=None, *, target_hosts=None):
    for name in (platform_env_var, "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"):
        url = (os.environ.get(name) or "").strip() if name else ""
        if url:
            return url.replace("socks://", "socks5://", 1) if url.startswith("socks://") else url
    return None


def proxy_kwargs_for_aiohttp(proxy_url):
    """For the session, and for each request."""
    return ({}, {}) if not proxy_url else ({}, {"proxy": proxy_url})
