/** Lists the environments in the folder `argv[1]` by parsing the files, without running any. Prints a JSON object. */
export const LIST_SCRIPT = String.raw`
import ast, json, os, sys

MOST_FILES, MOST_BYTES = 1000, 2000000
found, unreadable = [], []

def constant(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

def described(path, node, stem):
    name = stem
    for item in node.body:
        targets = item.targets if isinstance(item, ast.Assign) else [item.target] if isinstance(item, ast.AnnAssign) and item.value else []
        if any(isinstance(target, ast.Name) and target.id == "name" for target in targets):
            name = constant(item.value) or name
    lines = [line.strip() for line in (ast.get_docstring(node) or "").split("\n") if line.strip()]
    return {"name": name[:200], "class_name": node.name[:200], "file_path": path, "description": lines[0][:300] if lines else ""}

names = sorted(name for name in os.listdir(sys.argv[1]) if name.endswith(".py") and not name.startswith("_"))
for name in names[:MOST_FILES]:
    path = os.path.join(sys.argv[1], name)
    try:
        if os.path.getsize(path) > MOST_BYTES:
            raise ValueError("larger than %d bytes" % MOST_BYTES)
        with open(path, "rb") as held:
            tree = ast.parse(held.read(), name)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(getattr(base, "id", getattr(base, "attr", None)) == "BaseEnv" for base in node.bases):
                found.append(described(path, node, name[:-3]))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as why:
        unreadable.append({"file_path": path, "error": (type(why).__name__ + ": " + str(why))[:300]})
print(json.dumps({"python": "%d.%d" % sys.version_info[:2], "environments": found, "unreadable": unreadable, "omitted": max(0, len(names) - MOST_FILES)}))
`;

/**
 * Imports the environment `argv[1]` and prints the fields of its configuration. `argv[2]` is its class. Output of the
 * import goes to standard error; standard output has only the result.
 */
export const FIELDS_SCRIPT = String.raw`
import enum, importlib.util, json, os, sys, types, typing

answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
file, named = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.dirname(file))

def say(**words):
    answer.write(json.dumps(words))
    answer.flush()
    os._exit(0)

def plain(value, depth=0):
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None or isinstance(value, (bool, str)) or (isinstance(value, (int, float)) and value == value and value not in (float("inf"), float("-inf"))):
        return value
    if depth < 4 and isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if depth < 4 and isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    return None

NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", tuple: "array", set: "array", dict: "object", type(None): "null"}

def kinds(of):
    """The JSON types that a field accepts and its allowed values; None where unknown."""
    origin = typing.get_origin(of)
    if origin is typing.Annotated:
        return kinds(typing.get_args(of)[0])
    if origin is typing.Literal:
        return None, [plain(value) for value in typing.get_args(of)]
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        parts = [kinds(part) for part in typing.get_args(of)]
        if any(names is None and choices is None for names, choices in parts):
            return None, None
        if all(choices is None for _, choices in parts):
            return sorted({name for names, _ in parts for name in names}), None
        if all(choices is not None or names == ["null"] for names, choices in parts):
            return None, [choice for names, choices in parts for choice in (choices if choices is not None else [None])]
        return None, None
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return None, [plain(member) for member in of]
    name = NAMES.get(origin or of)
    return ([name] if name else None), None

def type_name(of):
    return str(of) if typing.get_origin(of) is not None else getattr(of, "__name__", str(of))

try:
    spec = importlib.util.spec_from_file_location("env_module", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["env_module"] = module
    spec.loader.exec_module(module)
except BaseException as why:
    say(error="%s: %s" % (type(why).__name__, why))
env = getattr(module, named, None)
note, config, config_class = "", None, None
try:
    config = env.config_init()[0]
    config_class = type(config)
except BaseException as why:
    note = "config_init failed (%s: %s)" % (type(why).__name__, why)
    config_class = getattr(env, "env_config_cls", None)
    if config_class is None:
        try:
            from atroposlib.envs.base import BaseEnvConfig as config_class
        except BaseException as also:
            say(error=note + ", and there is no BaseEnvConfig (%s)" % also)
fields = []
for name, field in list(getattr(config_class, "model_fields", {}).items())[:400]:
    default = getattr(config, name, None) if config is not None else getattr(field, "default", None)
    names, choices = kinds(getattr(field, "annotation", None))
    fields.append({"name": name, "type": type_name(field.annotation)[:200], "default": plain(default), "description": (getattr(field, "description", None) or "")[:500], "kinds": names, "choices": choices})
say(fields=fields, note=note[:500])
`;
