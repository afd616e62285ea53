import { after, test } from "node:test";
import type { TerminalOpener } from "hermes-agent/plugin";
import { terminalContract } from "hermes-agent/testing";
import { startDouble, type CloudName } from "./own-process.ts";
import { WITHOUT_SANDBOX } from "./scratch-sandbox.ts";

/**
 * The contract suite of a cloud's backend: against the real service if `live` can reach it, else against the double of
 * its API.
 */
export async function cloudContract(
  name: CloudName,
  live: (() => TerminalOpener) | undefined,
  at: (url: string) => TerminalOpener,
): Promise<void> {
  // Tests use little of a service that costs money.
  if (live !== undefined) return terminalContract(name, live, { kind: "real", separate: true, hugeBytes: 20_000_000 });
  if (WITHOUT_SANDBOX !== undefined)
    return void test(`terminal contract: ${name}`, { skip: WITHOUT_SANDBOX }, () => {});
  const service = await startDouble(name);
  after(() => service[Symbol.asyncDispose]());
  const named = ({ key }: { readonly key: string }) => new RegExp(`^hermes-${key}-[0-9a-f]{10}$`);
  terminalContract(name, () => at(service.url), {
    kind: "double",
    separate: true,
    cut: (terminal) => service.cut(named(terminal)),
    remove: (terminal) => service.remove(named(terminal)),
  });
}

/** Credentials of a service, if the test may call it. */
export function liveKeys<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> | undefined {
  const found = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  return process.env["HERMES_TEST_LIVE"] === "1" && found.length === names.length
    ? (Object.fromEntries(found) as Record<Name, string>)
    : undefined;
}
