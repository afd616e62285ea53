"""The skills, as the tools `skills_list` and `skill_view` show them."""

import json

from _hermes_bridge.home import home
from _hermes_bridge.services.original import tool_function
from agent.skill_utils import parse_frontmatter as _parse_frontmatter  # noqa: F401
from tools.registry import registry

HERMES_HOME = home()
SKILLS_DIR = HERMES_HOME / "skills"
MAX_NAME_LENGTH = 64
MAX_DESCRIPTION_LENGTH = 1024
skills_list = tool_function("skills_list", "category task_id-")
skill_view = tool_function("skill_view", "name file_path task_id- preprocess-")


def check_skills_requirements():
    return "skills_list" in registry.get_all_tool_names()


def _find_all_skills(*, skip_disabled=False):
    """Name, description and category of each enabled skill."""
    return json.loads(skills_list()).get("skills", [])
