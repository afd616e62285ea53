"""Files that arrived with messages, stored in the home."""

import hashlib
import os

from _hermes_bridge.home import home

SUPPORTED_VIDEO_TYPES = {
    ".mp4": "video/mp4",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".avi": "video/x-msvideo",
}
SUPPORTED_IMAGE_DOCUMENT_TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
}
_OFFICE = "application/vnd.openxmlformats-officedocument."
SUPPORTED_DOCUMENT_TYPES = {
    ".pdf": "application/pdf", ".md": "text/markdown", ".txt": "text/plain", ".csv": "text/csv", ".log": "text/plain", ".json": "application/json",
    ".xml": "application/xml", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml", ".ini": "text/plain",
    ".cfg": "text/plain", ".zip": "application/zip", ".doc": "application/msword", ".docx": _OFFICE + "wordprocessingml.document",
    ".xls": "application/vnd.ms-excel", ".xlsx": _OFFICE + "spreadsheetml.sheet", ".ppt": "application/vnd.ms-powerpoint",
    ".pptx": _OFFICE + "presentationml.presentation", ".ts": "text/plain", ".py": "text/plain", ".sh": "text/plain",
}  # fmt: skip


def _cache_dir(kind):
    folder = home() / "cache" / kind
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def get_image_cache_dir():
    return _cache_dir("images")


def get_audio_cache_dir():
    return _cache_dir("audio")


def get_video_cache_dir():
    return _cache_dir("videos")


def get_document_cache_dir():
    return _cache_dir("documents")


async def _from_url(url, keep, ext):
    import asyncio

    from _hermes_bridge.services.download import download

    data, _ = await asyncio.to_thread(download, url, 60.0, 50 << 20)
    return keep(data, ext)


async def cache_image_from_url(url, ext=".jpg", retries=2):
    return await _from_url(url, cache_image_from_bytes, ext)


async def cache_audio_from_url(url, ext=".ogg", retries=2):
    return await _from_url(url, cache_audio_from_bytes, ext)


def cache_media_bytes(data, filename=None, mime_type=None, **_):
    """Stores received data; its path."""
    kind = (mime_type or "").split("/")[0]
    folder = home() / "cache" / {"image": "images", "video": "videos", "audio": "audio"}.get(kind, "documents")
    folder.mkdir(parents=True, exist_ok=True)
    ending = os.path.splitext(filename or "")[1] or (
        "." + mime_type.split("/")[1] if mime_type and "/" in mime_type else ".bin"
    )
    path = folder / (hashlib.sha256(data).hexdigest()[:16] + ending)
    path.write_bytes(data)
    return str(path)


def cache_image_from_bytes(data, ext=".png"):
    return cache_media_bytes(data, "image" + ext, "image/" + ext.lstrip("."))


def cache_audio_from_bytes(data, ext=".ogg"):
    return cache_media_bytes(data, "audio" + ext, "audio/" + ext.lstrip("."))


def cache_video_from_bytes(data, ext=".mp4"):
    return cache_media_bytes(data, "video" + ext, "video/" + ext.lstrip("."))


def cache_document_from_bytes(data, filename):
    return cache_media_bytes(data, filename)
