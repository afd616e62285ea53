"""An interrupted call ends where it is; a check before that reports that it runs."""


def is_interrupted():
    return False
