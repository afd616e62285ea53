"""Reading a skill's file."""

import re


def parse_frontmatter(content):
    """The text between the two lines of dashes, and the rest."""
    found = re.match(r"---\s*\n(.*?)\n---\s*(?:\n|$)", content, re.S)
    if found is None:
        return {}, content
    import yaml

    try:
        data = yaml.safe_load(found.group(1))
    except yaml.YAMLError:
        data = None
    return (data if isinstance(data, dict) else {}), content[found.end() :]
