import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const answer = async (command: string): Promise<string> =>
  (await judgeCommand(command, { cwd: "/home/u/p", home: "/home/u" })).answer;

test("allows formatting an image file that the same command created, and asks about any other", async () => {
  for (const makes of [
    "truncate -s 64M x.img",
    "fallocate -l 64M x.img",
    "dd if=/dev/zero of=x.img bs=1M count=64",
    "qemu-img create x.img 64M",
    "head -c 64M /dev/zero > x.img",
    "head --bytes=64M </dev/urandom >x.img",
    "tr '\\0' '\\377' < /dev/zero | head -c 64M > x.img",
    "cat /dev/zero | head -c 64M > x.img",
    "dd if=/dev/zero bs=1M count=64 > x.img",
    "printf '%64s' > x.img",
    "(head -c 64M /dev/zero) >| x.img",
  ]) {
    assert.equal(await answer(`${makes} && mkfs.ext4 x.img`), "allow", makes);
    assert.equal(await answer(`${makes} && mkfs.ext4 y.img`), "ask", makes);
    assert.equal(await answer(`${makes}; mkfs.ext4 /dev/sda1`), "block", makes);
  }
});

test("asks about formatting a file that is not provably new", async () => {
  for (const command of [
    "truncate -s +1G x.img && mkfs.ext4 x.img",
    "fallocate -p -l 1G x.img; mkfs.ext4 x.img",
    "dd if=/dev/zero of=x.img seek=9 conv=notrunc; mkfs.ext4 x.img",
    'truncate -s 1G x.img; ln -sf "$DISK" x.img; mkfs.ext4 x.img',
    "head -c 64M /dev/zero >> x.img; mkfs.ext4 x.img",
    "head -c 64M /dev/sda > x.img; mkfs.ext4 x.img",
    "cat backup.tar > x.img; mkfs.ext4 x.img",
    "cat /dev/zero backup.tar | head -c 64M > x.img; mkfs.ext4 x.img",
    "truncate -s 64M x.img; pg_dump app > x.img; mkfs.ext4 x.img",
    "head -c 64M /dev/zero | tee x.img; mkfs.ext4 x.img",
    'head -c 64M /dev/zero > "$FILE"; mkfs.ext4 "$FILE"',
  ])
    assert.equal(await answer(command), "ask", command);
});
