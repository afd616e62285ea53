"""Variables of `.env`. The agent passes a plugin its own; there is no file to read here."""


def load_hermes_dotenv(*, hermes_home=None, project_env=None):
    """The files that were read: none."""
    return []
