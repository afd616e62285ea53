const DEVICES = new Set(
  ["zero", "random", "urandom", "full", "stdin", "tty", "console", "stdout", "stderr", "fd/0", "fd/1", "fd/2"].map(
    (name) => `/dev/${name}`,
  ),
);
const PROCESS =
  /^\/proc\/(?:[^/]+\/)+(?:fd\/[012]|environ|cmdline|maps|smaps|smaps_rollup|numa_maps|mem|auxv|pagemap)$/;

/** Paths that never end, wait for input, or expose process internals. `path` is absolute. */
export function isDevicePath(path: string): boolean {
  return DEVICES.has(path) || PROCESS.test(path);
}
