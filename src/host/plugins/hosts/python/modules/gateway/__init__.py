"""What plugins import of the gateway."""
