"""A call that is interrupted is ended where it is; what asks beforehand is told that it runs."""


def is_interrupted():
    return False
