import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const places = { cwd: "/work/app", home: "/home/me" };
const judged = async (command: string) => {
  const { answer, effects } = await judgeCommand(command, places);
  return [
    answer,
    ...effects.flatMap((effect) => (effect.kind === "device" ? [`${effect.action} ${effect.path}`] : [])),
  ].join(" ");
};

test("blocks a file system, a wipe or an image written to a device, whichever argument names it", async () => {
  const expected: Readonly<Record<string, string>> = {
    "mkfs.ext4 -L data /dev/sdb1": "block format /dev/sdb1",
    "mkfs -t xfs /dev/nvme0n1p2": "block format /dev/nvme0n1p2",
    "dd if=image.iso bs=4M of=/dev/sdc": "block write /dev/sdc",
    "dcfldd of=/dev/sda if=/dev/zero": "block write /dev/sda",
    "wipefs --all /dev/sdb": "block wipe /dev/sdb",
    "blkdiscard /dev/nvme0n1": "block wipe /dev/nvme0n1",
    "qemu-img convert -O raw disk.qcow2 /dev/sdb": "block write /dev/sdb",
    "bmaptool copy image.wic /dev/sdd": "block write /dev/sdd",
  };
  for (const [command, answer] of Object.entries(expected))
    assert.ok((await judged(command)).startsWith(answer), `${command}: ${await judged(command)}`);
});

test("allows inspecting a disk, and writing an image into a project file", async () => {
  for (const command of [
    "fdisk -l",
    "wipefs /dev/sdb",
    "blkid /dev/sda1",
    "parted -l",
    "zpool status",
    "zfs list",
    "nvme list",
    "lvm version",
    "dd if=/dev/zero of=swap.img bs=1M count=10",
    "qemu-img create -f qcow2 disk.qcow2 10G",
    "qemu-img info disk.qcow2",
  ])
    assert.match(await judged(command), /^allow/, command);
});

test("asks about copying a device, formatting an image file and deleting a volume", async () => {
  for (const command of [
    "dd if=/dev/sda of=disk.img",
    "mkfs.ext4 disk.img",
    "zfs destroy tank/data",
    "zpool destroy tank",
    "lvremove -f vg/data",
    "cryptsetup luksFormat disk.img",
    "parted /dev/sdb mklabel gpt",
    "mdadm --stop /dev/md0",
  ])
    assert.match(await judged(command), /^(ask|block)/, command);
});

test("asks about a device with a computed name", async () => {
  for (const command of ['mkfs.ext4 "$DISK"', 'dd if=x of="/dev/$DISK"', "wipefs -a $(pick-disk)"])
    assert.match(await judged(command), /^(ask|block)/, command);
});
