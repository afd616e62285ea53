import assert from "node:assert/strict";
import { PLATFORM_OFFERS } from "../../../contract/providers/platform-offers.ts";
import type { Behaviour, BehaviourGroup } from "../behaviour.ts";
import { NotApplicable } from "../platform-bench.ts";

const behaviours: readonly Behaviour[] = [
  {
    name: "has a name that a setting can hold, a label, and variables by name",
    async run({ played }) {
      const { name, label, required_env = [], cron_deliver_env_var = "" } = played.platform;
      assert.match(name, /^[a-z][\w-]*$/);
      assert.notEqual(label, "");
      for (const variable of [...required_env, cron_deliver_env_var].filter((one) => one !== ""))
        assert.match(variable, /^[A-Z][A-Z0-9_]*$/);
    },
  },
  {
    name: "declares only known offers, each once",
    async run({ played }) {
      const { offers = [] } = played.platform;
      assert.deepEqual(
        offers.filter((one) => !Object.hasOwn(PLATFORM_OFFERS, one)),
        [],
      );
      assert.equal(new Set(offers).size, offers.length);
    },
  },
  {
    name: "finds its requirements, and reads its settings from the environment without an adapter",
    async run({ played }) {
      assert.equal((await played.platform.check_fn?.()) ?? true, true);
      const extra = await played.platform.env_enablement_fn?.();
      assert.ok(extra === undefined || extra === null || typeof extra === "object");
    },
  },
  {
    name: "describes a chat by name and type",
    async run({ adapter, chat }) {
      if (adapter.get_chat_info === undefined) throw new NotApplicable("the adapter describes no chats");
      const { name, type } = await adapter.get_chat_info(chat);
      assert.ok(typeof name === "string" && name !== "", "a chat has a name");
      assert.match(String(type), /^(?:dm|group|channel|thread|supergroup|forum)$/);
    },
  },
  {
    name: "refuses credentials that the service rejects, with an error that does not repeat them",
    far: ["rejected"],
    async run({ played }) {
      const { platform, extra = {}, secret } = played.rejected!;
      const adapter = await platform.adapter_factory({ enabled: true, extra, message: async () => {} });
      await assert.rejects(
        async () => {
          if ((await adapter.connect({ is_reconnect: false })) === false) throw new Error("it reports false");
        },
        (cause: Error & { readonly hint?: string }) => {
          assert.ok(!`${cause.message} ${cause.hint ?? ""}`.includes(secret), "the error repeats the secret");
          return true;
        },
      );
      await adapter.disconnect();
    },
  },
  {
    name: "tests its settings without receiving messages, and names the account",
    async run({ played }) {
      if (played.platform.test_connection === undefined) throw new NotApplicable("it has no test_connection");
      const account = await played.platform.test_connection({ enabled: true, extra: played.extra ?? {} });
      assert.match(account, /\S/);
      if (played.rejected === undefined) return;
      const { platform, extra = {}, secret } = played.rejected;
      await assert.rejects(
        async () => platform.test_connection?.({ enabled: true, extra }),
        (cause: Error) => !cause.message.includes(secret),
      );
    },
  },
  {
    name: "lists the chats that it can write to, with ids that it accepts",
    needs: ["chat_list"],
    async run({ adapter, chat }) {
      const chats = (await adapter.list_chats?.()) ?? [];
      assert.ok(
        chats.some(({ id }) => id === chat),
        `${chat} is not in ${JSON.stringify(chats)}`,
      );
      for (const { id, name } of chats) assert.ok(id !== "" && name !== "", "each chat has an id and a name");
    },
  },
  {
    name: "shows the slash commands in the service's menu",
    needs: ["command_menu"],
    async run({ played }) {
      assert.ok(played.menu !== undefined, "the other end needs menu()");
      const names = await played.menu();
      for (const name of ["help", "new"]) assert.ok(names.includes(name), `${name} is not in ${names.join(", ")}`);
    },
  },
];

export const IDENTITY: BehaviourGroup = { group: "identity", behaviours };
