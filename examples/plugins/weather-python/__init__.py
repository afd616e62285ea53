from . import weather_tool  # registers its tool while it is imported
