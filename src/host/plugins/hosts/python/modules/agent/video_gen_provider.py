"""Base of video backends."""

from abc import abstractmethod

from .backend import Backend


class VideoGenProvider(Backend):
    @abstractmethod
    def generate(self, prompt, *, model=None, image_url=None, reference_image_urls=None, duration=None, aspect_ratio="16:9", resolution="720p", negative_prompt=None, audio=None, seed=None, **kwargs):
        """A dict with `success` and `video`."""

    def capabilities(self):
        return {"modalities": ["text"]}
