"""What plugins import of the tools."""
