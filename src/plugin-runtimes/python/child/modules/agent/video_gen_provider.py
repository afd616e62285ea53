"""Base of video backends."""

import base64
from abc import abstractmethod

from _hermes_bridge.services.download import keep, save_url

from .backend import Backend


COMMON_ASPECT_RATIOS = ("16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3")
DEFAULT_ASPECT_RATIO = "16:9"
COMMON_RESOLUTIONS = ("480p", "540p", "720p", "1080p")
DEFAULT_RESOLUTION = "720p"


class VideoGenProvider(Backend):
    @abstractmethod
    def generate(
        self,
        prompt,
        *,
        model=None,
        image_url=None,
        reference_image_urls=None,
        duration=None,
        aspect_ratio="16:9",
        resolution="720p",
        negative_prompt=None,
        audio=None,
        seed=None,
        **kwargs,
    ):
        """A dict with `success` and `video`."""

    def capabilities(self):
        return {"modalities": ["text"]}


def success_response(*, video, model, prompt, modality="text", aspect_ratio="", duration=0, provider, extra=None):
    return {
        "success": True,
        "video": video,
        "model": model,
        "prompt": prompt,
        "modality": modality,
        "aspect_ratio": aspect_ratio,
        "duration": duration,
        "provider": provider,
        **(extra or {}),
    }


def error_response(*, error, error_type="provider_error", provider="", model="", prompt="", aspect_ratio=""):
    return {
        "success": False,
        "video": None,
        "error": error,
        "error_type": error_type,
        "model": model,
        "prompt": prompt,
        "aspect_ratio": aspect_ratio,
        "provider": provider,
    }


def save_bytes_video(raw, *, prefix="video", extension="mp4"):
    return keep(raw, "videos", prefix, extension)


def save_b64_video(b64_data, *, prefix="video", extension="mp4"):
    return save_bytes_video(base64.b64decode(b64_data), prefix=prefix, extension=extension)


def save_url_video(url, *, prefix="video", timeout=180.0, max_bytes=200 << 20):
    return save_url(url, "videos", prefix, "mp4", timeout, max_bytes)
