"""Secret managers."""
