/** All addresses of a name, as the system's resolver has them. */
export async function systemLookup(host: string): Promise<readonly string[]> {
  return (await process.getBuiltinModule("node:dns").promises.lookup(host, { all: true })).map(
    ({ address }) => address,
  );
}
