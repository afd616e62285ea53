"""Base of image backends, and the shapes they answer in."""

import base64
import datetime
import uuid
from abc import abstractmethod

from _hermes_bridge.home import home

from .backend import Backend

VALID_ASPECT_RATIOS = ("landscape", "square", "portrait")
DEFAULT_ASPECT_RATIO = "landscape"


class ImageGenProvider(Backend):
    @abstractmethod
    def generate(self, prompt, aspect_ratio=DEFAULT_ASPECT_RATIO, *, image_url=None, reference_image_urls=None, **kwargs):
        """A dict as `success_response` makes it, or the path of an image."""

    def capabilities(self):
        return {"modalities": ["text"], "max_reference_images": 0}


def resolve_aspect_ratio(value):
    word = str(value or "").strip().lower()
    return word if word in VALID_ASPECT_RATIOS else DEFAULT_ASPECT_RATIO


def success_response(*, image, model="", prompt="", aspect_ratio=DEFAULT_ASPECT_RATIO, provider="", modality=None, extra=None):
    answer = {"success": True, "image": image, "model": model, "prompt": prompt, "aspect_ratio": aspect_ratio, "provider": provider}
    return {**answer, **({} if modality is None else {"modality": modality}), **(extra or {})}


def error_response(*, error, error_type="provider_error", provider="", model="", prompt="", aspect_ratio=DEFAULT_ASPECT_RATIO):
    return {"success": False, "image": None, "error": error, "error_type": error_type, "model": model, "prompt": prompt, "aspect_ratio": aspect_ratio, "provider": provider}


def save_b64_image(data, *, prefix="image", extension="png"):
    folder = home() / "cache" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ("%s_%s_%s.%s" % (prefix, datetime.datetime.now().strftime("%Y%m%d_%H%M%S"), uuid.uuid4().hex[:8], extension))
    path.write_bytes(base64.b64decode(data))
    return path
