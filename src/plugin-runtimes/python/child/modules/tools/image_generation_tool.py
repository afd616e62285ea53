"""The tool `image_generate`, as a function."""

from _hermes_bridge.services.original import tool_function

image_generate_tool = tool_function(
    "image_generate",
    "prompt aspect_ratio num_inference_steps! guidance_scale! num_images! output_format! seed! image_url "
    "reference_image_urls",
)
