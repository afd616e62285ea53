"""Base of image backends, and the shapes of their answers."""

import base64
from abc import abstractmethod

from _hermes_bridge.services.download import keep, save_url

from .backend import Backend

VALID_ASPECT_RATIOS = ("landscape", "square", "portrait")
DEFAULT_ASPECT_RATIO = "landscape"


class ImageGenProvider(Backend):
    @abstractmethod
    def generate(
        self, prompt, aspect_ratio=DEFAULT_ASPECT_RATIO, *, image_url=None, reference_image_urls=None, **kwargs
    ):
        """A dict as `success_response` makes it, or the path of an image."""

    def capabilities(self):
        return {"modalities": ["text"], "max_reference_images": 0}


def resolve_aspect_ratio(value):
    word = str(value or "").strip().lower()
    return word if word in VALID_ASPECT_RATIOS else DEFAULT_ASPECT_RATIO


def success_response(
    *, image, model="", prompt="", aspect_ratio=DEFAULT_ASPECT_RATIO, provider="", modality=None, extra=None
):
    answer = {
        "success": True,
        "image": image,
        "model": model,
        "prompt": prompt,
        "aspect_ratio": aspect_ratio,
        "provider": provider,
    }
    return {**answer, **({} if modality is None else {"modality": modality}), **(extra or {})}


def error_response(
    *, error, error_type="provider_error", provider="", model="", prompt="", aspect_ratio=DEFAULT_ASPECT_RATIO
):
    return {
        "success": False,
        "image": None,
        "error": error,
        "error_type": error_type,
        "model": model,
        "prompt": prompt,
        "aspect_ratio": aspect_ratio,
        "provider": provider,
    }


def normalize_reference_images(value):
    """A list of addresses and paths; None without any."""
    given = [value] if isinstance(value, str) else value if isinstance(value, (list, tuple)) else []
    clean = [one.strip() for one in given if isinstance(one, str) and one.strip()]
    return clean or None


def save_b64_image(data, *, prefix="image", extension="png"):
    return keep(base64.b64decode(data), "images", prefix, extension)


def save_url_image(url, *, prefix="image", timeout=60.0, max_bytes=25 << 20):
    return save_url(url, "images", prefix, "png", timeout, max_bytes)
