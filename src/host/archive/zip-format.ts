/** The parts of the ZIP format that backups use: deflate, UTF-8 names, and 64-bit sizes (APPNOTE 6.3). */
export const LOCAL_HEADER = 0x04034b50;
export const CENTRAL_HEADER = 0x02014b50;
export const END = 0x06054b50;
export const END_64 = 0x06064b50;
export const END_64_LOCATOR = 0x07064b50;
export const ZIP64_EXTRA = 0x0001;
export const MAX_32 = 0xffff_ffff;
export const MAX_16 = 0xffff;
export const DEFLATE = 8;
export const STORED = 0;
export const UTF8_NAMES = 0x0800;
/** Upper byte 3: made on Unix, so the attributes contain a mode. Lower byte 45: version 4.5, which has 64-bit sizes. */
export const MADE_BY = (3 << 8) | 45;
export const VERSION_NEEDED = 45;

/** Date and time as MS-DOS stores them: local time, in steps of two seconds, from 1980. */
export function dosTime(ms: number): { readonly date: number; readonly time: number } {
  const at = new Date(ms);
  const year = Math.min(Math.max(at.getFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
  };
}
