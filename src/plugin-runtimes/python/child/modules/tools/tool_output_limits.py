"""How much of a result the model sees: `tool_output` of config.yaml."""

from hermes_cli.config import cfg_get, read_raw_config


def get_tool_output_limits():
    return {"max_bytes": get_max_bytes(), "max_lines": get_max_lines(), "max_line_length": get_max_line_length()}


def get_max_bytes():
    return _limit("max_bytes", 50_000)


def get_max_lines():
    return _limit("max_lines", 2_000)


def get_max_line_length():
    return _limit("max_line_length", 2_000)


def _limit(name, otherwise):
    value = cfg_get(read_raw_config(), "tool_output", name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else otherwise
