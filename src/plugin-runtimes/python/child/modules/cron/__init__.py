"""Scheduled jobs, as the original has them."""
