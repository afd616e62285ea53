"""An image of the colour that the prompt names."""

import struct
import zlib

from agent.image_gen_provider import ImageGenProvider, error_response, save_b64_image, success_response

COLOURS = {"red": (220, 40, 40), "green": (40, 160, 70), "blue": (40, 80, 210), "black": (0, 0, 0), "white": (255, 255, 255)}
SIZES = {"landscape": (48, 32), "square": (32, 32), "portrait": (32, 48)}


class Swatches(ImageGenProvider):
    @property
    def name(self) -> str:
        return "swatches"

    @property
    def display_name(self) -> str:
        return "Colour swatches"

    def is_available(self) -> bool:
        return True

    def list_models(self):
        return [{"id": "swatch-1", "display": "One colour"}]

    def generate(self, prompt: str, aspect_ratio="landscape", **kwargs):
        name = next((colour for colour in COLOURS if colour in prompt.lower()), None)
        if name is None:
            return error_response(error="Name one of: %s." % ", ".join(COLOURS), error_type="bad_prompt", provider="swatches")
        path = save_b64_image(swatch(*SIZES[aspect_ratio], COLOURS[name]), prefix="swatches")
        return success_response(image=str(path), model="swatch-1", prompt=prompt, aspect_ratio=aspect_ratio, provider="swatches")


def swatch(width, height, colour):
    """A PNG of one colour, as base64."""
    import base64

    line = b"\x00" + bytes(colour) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(line * height)) + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def register(ctx):
    ctx.register_image_gen_provider(Swatches())
