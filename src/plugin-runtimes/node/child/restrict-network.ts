import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import workers from "node:worker_threads";

/**
 * Limits a plugin to its granted hosts: `example.org`, `*.example.org`, `127.0.0.1:8080`. Node's permissions do not
 * cover the network, so this replaces every network function of JavaScript. Threads, which would have fresh ones, are
 * forbidden too.
 */
export function restrictNetwork(hosts: readonly string[]): void {
  const rules = hosts
    .map((host) => /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase())!)
    .map(([, name = "", port]) => ({ name, port: port === undefined ? undefined : Number(port) }));
  const allowed = (host: string, port: number | undefined): boolean =>
    rules.some(
      (rule) =>
        (rule.port === undefined || port === undefined || rule.port === port) &&
        (rule.name === host || (rule.name.startsWith("*.") && host.endsWith(rule.name.slice(1)))),
    );
  const refuse = (what: string): never => {
    throw Object.assign(
      new Error(`This plugin may not connect to ${what}: its manifest does not list it in grants.hosts.`),
      { code: "ERR_ACCESS_DENIED" },
    );
  };

  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    const first = Array.isArray(given[0]) ? (given[0] as unknown[])[0] : given[0];
    const {
      host = "localhost",
      port,
      path,
    } = (
      typeof first === "object" && first !== null
        ? first
        : { port: first, host: typeof given[1] === "string" ? given[1] : undefined }
    ) as { host?: string; port?: number; path?: string };
    if (path !== undefined || !allowed(String(host).toLowerCase(), Number(port))) refuse(path ?? `${host}:${port}`);
    return Reflect.apply(connect, this, given) as net.Socket;
  };
  net.Server.prototype.listen = () => refuse("other hosts through a server");
  dgram.Socket.prototype.bind = () => refuse("other hosts over UDP");
  dgram.Socket.prototype.send = () => refuse("other hosts over UDP");
  dgram.Socket.prototype.connect = () => refuse("other hosts over UDP");
  const { lookup } = dns;
  const guarded = (name: string, ...rest: never[]): unknown =>
    allowed(name.toLowerCase(), undefined) || net.isIP(name) !== 0 || name === "localhost"
      ? Reflect.apply(lookup, dns, [name, ...rest])
      : refuse(name);
  Object.assign(dns, { lookup: guarded });
  for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype] as unknown as {
    [name: string]: unknown;
  }[]) {
    for (const name of Object.getOwnPropertyNames(owner))
      if (/^(resolve|reverse|lookupService)/.test(name) && typeof owner[name] === "function")
        owner[name] = () => refuse("a name server");
  }
  Object.assign(dns.promises, {
    lookup: async (name: string, options: object) =>
      allowed(name.toLowerCase(), undefined)
        ? await new Promise((resolve, reject) =>
            lookup(name, options, (error, address, family) =>
              error === null ? resolve({ address, family }) : reject(error),
            ),
          )
        : refuse(name),
  });
  Object.assign(workers, {
    Worker: function Worker() {
      refuse("threads");
    },
  });
  syncBuiltinESMExports();
}
