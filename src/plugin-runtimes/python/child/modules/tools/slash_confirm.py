"""Answers to confirmations that a chat adapter showed. The agent asks by itself; nothing waits here."""


async def resolve(session_key, confirm_id, choice):
    return None
