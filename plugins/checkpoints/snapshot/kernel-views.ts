import { statfsSync } from "node:fs";

/**
 * File systems that are views into the kernel: there is nothing to restore, and reading one may never end. The numbers
 * are those of statfs(2) on Linux; other systems have none of these below a working folder.
 */
const VIEWS: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x6265_6572, // sysfs
  0x0027_e0eb, // cgroup
  0x6367_7270, // cgroup2
  0x6462_6720, // debugfs
  0x7472_6163, // tracefs
  0x7363_6673, // securityfs
  0x6265_6570, // configfs
  0xcafe_4a11, // bpf
  0xde5e_81e4, // efivarfs
  0x1cd1, // devpts
]);

export function isKernelView(folder: string): boolean {
  try {
    return process.platform === "linux" && VIEWS.has(statfsSync(folder).type);
  } catch {
    return false; // Removed meanwhile, or not readable.
  }
}
