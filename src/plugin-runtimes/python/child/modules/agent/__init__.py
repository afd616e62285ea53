"""What plugins import of the agent."""
