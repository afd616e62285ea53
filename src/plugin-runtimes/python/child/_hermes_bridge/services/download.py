"""Downloads an image or a video from the address in a service's answer."""

import datetime
import uuid


def keep(data, kind, prefix, extension):
    """Writes into the home's cache; the path."""
    from ..home import home

    folder = home() / "cache" / kind
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (
        "%s_%s_%s.%s"
        % (prefix, datetime.datetime.now().strftime("%Y%m%d_%H%M%S"), uuid.uuid4().hex[:8], extension.lstrip("."))
    )
    path.write_bytes(data)
    return path


def download(url, timeout, max_bytes):
    """Bytes and media type. Web addresses only, and never more than the limit."""
    import urllib.request

    if not url.lower().startswith(("http://", "https://")):
        raise ValueError("%r is not a web address" % url[:100])
    with urllib.request.urlopen(
        urllib.request.Request(url, headers={"User-Agent": "hermes"}), timeout=timeout
    ) as response:
        data = response.read(max_bytes + 1)
        if len(data) > max_bytes:
            raise ValueError("%s is larger than %d bytes" % (url[:100], max_bytes))
        return data, response.headers.get_content_type()


def save_url(url, kind, prefix, default, timeout, max_bytes):
    import mimetypes

    data, media_type = download(url, timeout, max_bytes)
    if not data:
        raise ValueError("%s is empty" % url[:100])
    guessed = mimetypes.guess_extension(media_type) if media_type.split("/")[0] in ("image", "video") else None
    return keep(data, kind, prefix, guessed or default)
