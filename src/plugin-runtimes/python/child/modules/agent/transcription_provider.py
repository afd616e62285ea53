"""Base of transcription."""

from abc import abstractmethod

from .backend import Backend


class TranscriptionProvider(Backend):
    @abstractmethod
    def transcribe(self, file_path, *, model=None, language=None, **extra):
        """`success`, `transcript`, `provider`, `error`; never raises."""
