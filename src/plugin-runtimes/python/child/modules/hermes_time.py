"""The user's clock."""

import datetime
import os


def get_timezone():
    """The zone that the settings or HERMES_TIMEZONE name; None: the system's."""
    from hermes_cli.config import load_config

    name = os.environ.get("HERMES_TIMEZONE") or load_config().get("timezone")
    if not isinstance(name, str) or not name.strip():
        return None
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name.strip())
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return None


def now():
    zone = get_timezone()
    return datetime.datetime.now(zone) if zone else datetime.datetime.now().astimezone()
