"""Base of speech."""

from abc import abstractmethod

from .backend import Backend


DEFAULT_OUTPUT_FORMAT = "mp3"
VALID_OUTPUT_FORMATS = frozenset({"mp3", "wav", "ogg", "opus", "flac"})


def resolve_output_format(value):
    word = str(value or "").strip().lower()
    return word if word in VALID_OUTPUT_FORMATS else DEFAULT_OUTPUT_FORMAT


class TTSProvider(Backend):
    voice_compatible = False

    @abstractmethod
    def synthesize(self, text, output_path, *, voice=None, model=None, speed=None, format="mp3", **extra):
        """Writes the file and returns its path."""

    def list_voices(self):
        return []

    def default_voice(self):
        voices = self.list_voices()
        return voices[0].get("id") if voices else None

    def stream(self, text, **extra):
        raise NotImplementedError("%s does not stream" % self.name)
