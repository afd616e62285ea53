"""Base of speech."""

from abc import abstractmethod

from .backend import Backend


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
