"""Answers to confirmations that a chat adapter showed. The agent asks them itself; nothing waits here."""


async def resolve(session_key, confirm_id, choice):
    return None
