import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { pythonCode, answerOf, withPython } from "../test/hosts-fixture.ts";

const tool = (name: string, run: string): string =>
  `def register(ctx):\n    ctx.register_tool(name="${name}", toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **k: ${run})\n`;
const folder = (path: string, name: string, code: string, more: { readonly [file: string]: string } = {}) => ({
  [`home/plugins/${path}/plugin.yaml`]: manifest(name),
  [`home/plugins/${path}/__init__.py`]: code,
  ...Object.fromEntries(Object.entries(more).map(([file, text]) => [`home/plugins/${path}/${file}`, text])),
});

// req: plugins.python-bridge
test(
  "a changed copy of one of the original's plugins imports itself by the original's path, and each file is one module",
  withPython,
  async (t) => {
    const place = setUp(
      t,
      {
        ...folder(
          "web/corner-shop",
          "web-corner-shop",
          pythonCode(
            "from plugins.web.corner_shop.shelf import GOODS",
            "import plugins.web.corner_shop as itself",
            tool("shelf", "json.dumps([GOODS, itself is sys.modules[__name__]])"),
          ),
          { "shelf.py": 'GOODS = "tea"\n' },
        ),
        ...folder(
          "flatland",
          "flatland",
          pythonCode(
            "from plugins.memory.flatland import square",
            "from plugins.flatland.square import SIDES",
            tool("square", "json.dumps([SIDES, square is sys.modules['plugins.flatland.square'], square.SEEN])"),
          ),
          {
            "square.py":
              "import flatland.corner as first\nfrom . import corner\nSIDES = 4\nSEEN = [first is corner, corner.__spec__.name]\n",
            "corner.py": "",
          },
        ),
        ...folder(
          "curious",
          "curious",
          pythonCode(
            "try:\n    from plugins.memory import load_moon\nexcept ImportError as cause:\n    WHY = str(cause)",
            tool("moon", "json.dumps('load_moon' in WHY)"),
          ),
        ),
      },
      "plugins:\n  enabled: [web/corner-shop, flatland, curious]\n",
    );
    const { host, log } = await place.start({}, { hosts: true });
    assert.deepEqual(JSON.parse(await answerOf(host, "shelf")), ["tea", true]);
    assert.deepEqual(JSON.parse(await answerOf(host, "square")), [4, true, [true, "hermes_plugins.flatland.corner"]]);
    assert.equal(JSON.parse(await answerOf(host, "moon")), true);
    assert.deepEqual(
      log.lines
        .filter(({ message }) => message.includes("of the Python original"))
        .map(({ message }) => message.split("'")[1]),
      ["curious"],
    );
  },
);

test("a plugin that imports its files by its own name reads them again when it is reloaded", withPython, async (t) => {
  const place = setUp(
    t,
    folder("shelves", "shelves", pythonCode("from shelves.goods import GOODS", tool("goods", "GOODS")), {
      "goods.py": 'GOODS = "tea"\n',
    }),
    "plugins:\n  enabled: [shelves]\n",
  );
  const { host } = await place.start({}, { hosts: true });
  assert.equal(await answerOf(host, "goods"), "tea");
  place.write({ "home/plugins/shelves/goods.py": 'GOODS = "coffee"\n' });
  await host.service.reload();
  assert.equal(await answerOf(host, "goods"), "coffee");
});
