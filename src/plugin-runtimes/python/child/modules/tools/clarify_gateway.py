"""Answers to questions that a chat adapter showed. The agent asks them itself; nothing waits here."""


def resolve_gateway_clarify(clarify_id, answer):
    return False
