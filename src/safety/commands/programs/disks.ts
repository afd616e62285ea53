import type { Call, Program } from "../evaluate/call.ts";
import { isBlank, NOTHING, UNSEEN } from "../risk/effect.ts";
import { hasMark, isKnown } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { together, when } from "./by-words.ts";
import { isImage, makesImage } from "./images.ts";
import { optionHarms } from "../risk/unknown-options.ts";
import { judgeVerbs } from "../risk/verbs.ts";

function device(text: string, action: "write" | "format" | "wipe" | "read", call: Call): void {
  for (const path of call.by.paths(text, call.state))
    if (action === "format" && isImage(path, call)) call.by.write(text, call, "edit");
    else call.by.add({ kind: "device", path, action, proven: isKnown(path) });
}

const mkfs: Program = (call) => {
  const fat = /^mk(?:fs\.(?:v?fat|msdos)|dosfs)$/.test(call.program);
  const options = parseOptions(call.args, {
    short: fat ? "bDfFghimMnrRsSt" : "tLUNIbimEOJgGCdn",
    long: ["type", "label", "uuid"],
  });
  const target =
    call.args.find((arg) => arg.startsWith("/dev/")) ??
    options.operands.find((operand) => hasMark(operand)) ??
    options.operands[0];
  // `mkfs` refuses an existing regular file.
  if (fat && options.has("C") && target !== undefined && isKnown(target) && !target.startsWith("/dev/"))
    makesImage(target, call);
  if (target !== undefined) device(target, "format", call);
  return NOTHING;
};

const dd: Program = (call) => {
  const value = (name: string): string | undefined =>
    call.args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const output = value("of") ?? value("wipe");
  const input = value("if");
  if (output !== undefined) {
    if (output.startsWith("/dev/")) device(output, "write", call);
    else call.by.write(output, call);
    if (isBlank(input ?? "") && !/notrunc/.test(value("conv") ?? "")) makesImage(output, call);
  }
  if (input?.startsWith("/dev/")) device(input, "read", call);
  else if (input !== undefined) call.by.read(input, call, { shown: output === undefined });
  return output === undefined ? (input === undefined ? call.stdin : { ...UNSEEN, blank: isBlank(input) }) : NOTHING;
};

/** Programs that copy an image: a device among the later operands is the target. */
const imager: Program = (call) => {
  const operands = parseOptions(call.args, { short: "bcBIQrsiamltpL" }).operands;
  const devices = operands.filter(
    (operand, i) =>
      operand.startsWith("/dev/") && (i > 0 || operands.length === 1 || /^(ventoy|woeusb)/i.test(call.program)),
  );
  const named = call.args.filter(
    (arg, i) =>
      /^(-O|-o|--output|--overwrite|--device|-d|--target|--drive|-I|-i)$/.test(call.args[i - 1] ?? "") &&
      arg.startsWith("/dev/"),
  );
  const joined = call.args.flatMap(
    (arg) => /^--(?:output|overwrite|device|target|drive)=(\/dev\/.*)$/.exec(arg)?.[1] ?? [],
  );
  if (call.program === "ocs-sr" && /\brestore(disk|parts)\b/.test(call.args.join(" ")))
    call.by.harm("disk-change", `ocs-sr ${call.args.join(" ")}`);
  const made =
    call.program === "qemu-img" && call.args[0] === "create"
      ? parseOptions(call.args, { short: "fobF" }).operands[1]
      : undefined;
  if (made !== undefined) makesImage(made, call);
  for (const path of new Set([...devices, ...named, ...joined])) device(path, "write", call);
  return NOTHING;
};

/** Programs that change the given device, unless an option makes them read only. */
const wiper =
  (looks: readonly string[], spec = {}): Program =>
  (call) => {
    const options = parseOptions(call.args, spec);
    if (looks.some((name) => options.has(name))) return UNSEEN;
    for (const operand of options.operands)
      if (operand.startsWith("/dev/") || hasMark(operand)) device(operand, "wipe", call);
    return NOTHING;
  };

/** The device in an argument, also inside an option: `--filename=/dev/sda`. */
const ON_DEVICES: Readonly<Record<string, RegExp>> = {
  f3probe: /--destructive/,
  fio: /--(rw|readwrite)=\w*(write|rw|trim)/,
  ioping: /(^|\s)-\w*W/,
  flashcp: /./,
  flash_erase: /./,
  flash_eraseall: /./,
  nandwrite: /./,
  ubiformat: /./,
  "ceph-volume": /\b(zap|prepare|create)\b/,
  stratis: /\bpool (create|add-data|add-cache)\b/,
  vdo: /^create\b/,
  "install-mbr": /./,
  "ms-sys": /(^|\s)-\w*[mwpf1-9]|--write/,
  syslinux: /(^|\s)(-\w*i|--install)/,
  vgcreate: /./,
  wodim: /\bblank=/,
  "dvd+rw-format": /./,
  growisofs: /(^|\s)-Z/,
};

const onDevices: Program = (call) => {
  const text = call.args.join(" ");
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  if (!ON_DEVICES[call.program]!.test(text)) {
    judgeVerbs(call);
    return UNSEEN;
  }
  const places = call.args.flatMap((arg) => /(?:^|=)(\/dev\/[\w./-]+)/.exec(arg)?.[1] ?? []);
  for (const place of places) device(place, "wipe", call);
  if (places.length === 0 && !/^(fio|ioping|wodim|syslinux)$/.test(call.program))
    call.by.harm("disk-change", `${call.program} ${text}`);
  return UNSEEN;
};

const fdisk: Program = (call) => {
  const options = parseOptions(call.args, { short: "bCHSotuwW" });
  if (options.has("l", "list", "s", "getsz", "dump", "d", "V", "x")) return UNSEEN;
  const disk = call.args.find((arg) => arg.startsWith("/dev/"));
  if (disk === undefined) return UNSEEN;
  const scripted = call.program === "sfdisk" || call.program === "sgdisk" || call.stdin.from !== "inherit";
  if (scripted && !(call.program === "sgdisk" && options.has("p", "print", "i"))) device(disk, "wipe", call);
  else if (!scripted) call.by.harm("disk-change", `${call.program} ${disk}`);
  return UNSEEN;
};

const parted: Program = (call) => {
  const options = parseOptions(call.args, { short: "au" });
  const disk = options.operands.find((operand) => operand.startsWith("/dev/"));
  const changes = options.operands.some(
    (operand) =>
      /^(mklabel|mktable|mkpart|mkpartfs|rm|resizepart|rescue|disk_set|set|name)\b/.test(operand) || operand === "mkfs",
  );
  if (disk !== undefined && changes) device(disk, "wipe", call);
  else if (disk !== undefined && !options.operands.includes("print") && !options.has("l"))
    call.by.harm("disk-change", `parted ${disk}`);
  return UNSEEN;
};

const diskutil: Program = (call) => {
  const words = call.args.filter((arg) => !/^-?(quiet|verbose|plist)$/.test(arg));
  const verb = (words[0] ?? "").toLowerCase();
  const target = call.args.at(-1) ?? "";
  if (
    /^(erase|partitiondisk|zerodisk|randomdisk|secureerase|reformat)/.test(verb) ||
    (verb === "apfs" && /^(erase|delete)/i.test(words[1] ?? ""))
  )
    device(target.startsWith("/dev/") ? target : `/dev/${target}`, "wipe", call);
  return UNSEEN;
};

/** The subcommand may follow options with values: `cryptsetup --type luks2 luksFormat`. */
function behindOptions(args: readonly string[]): readonly string[] {
  const starts = args.flatMap((arg, at) => (arg.startsWith("-") ? [] : [at]));
  return [
    args.join(" "),
    ...(args[0]?.startsWith("-") === true ? starts.map((at) => args.slice(at, at + 6).join(" ")) : []),
  ];
}

const diskTool: Program = (call) => {
  const texts = behindOptions(call.args);
  const text = texts[0]!;
  const writes: Readonly<Record<string, RegExp>> = {
    hdparm: /--(security-erase|trim-sector|make-bad|write-sector|repair-sector|user-master|security-set-pass)/,
    nvme: /^(format|sanitize|write|delete-ns|disconnect)/,
    cryptsetup: /^(luksFormat|luksHeaderRestore|erase|luksErase|reencrypt|plainOpen)/,
    badblocks: /(^|\s)-\w*w/,
    mdadm: /(--create|--zero-superblock|(^|\s)-C)/,
    zpool: /^(create|destroy|labelclear|export|offline|detach|remove|replace|split|reguid)\b/,
    pvcreate: /./,
    vgremove: /./,
    lvremove: /./,
    pvremove: /./,
    mkswap: /./,
    swapoff: /(?!)/,
    zfs: /^(destroy|rollback|rename|promote|set|inherit|upgrade|unload-key|(receive|recv)\b.*-F)/,
    btrfs: /^device (add|delete)/,
    bcachefs: /^(format|device (add|remove|evacuate))\b/,
    "make-bcache": /./,
    veracrypt: /(^|\s)(--create|-c)\b/,
    tcplay: /(^|\s)(--create|-c)\b/,
    "zuluCrypt-cli": /(^|\s)-c\b/,
    blkzone: /^(reset|finish|close)\b/,
    sg_sanitize: /./,
    sg_unmap: /./,
    sg_write_same: /./,
    gpt: /^(destroy|create|remove|add|label|migrate|recover)\b/,
    "systemd-repart": /--dry-run=(no|false|0)|--empty=(force|create)/,
    "etcher-cli": /./,
    growpart: /./,
    partprobe: /(?!)/,
    tune2fs: /(?!)/,
    e2fsck: /(?!)/,
    dmsetup: /^(remove|wipe)/,
    hdiutil: /^erase/,
    debugfs: /(^|\s)-w/,
  };
  if (call.program === "mdadm" && /--stop|(^|\s)-S\b|--fail|--remove/.test(text))
    call.by.harm("disk-change", `mdadm ${text}`);
  if (texts.some((one) => /^luks(AddKey|RemoveKey|KillSlot|ChangeKey|Suspend)/.test(one)))
    call.by.harm("disk-change", `cryptsetup ${text}`);
  optionHarms(call);
  const changes = writes[call.program] ?? /(?!)/;
  if (!texts.some((one) => changes.test(one))) return UNSEEN;
  const disks = call.args.filter((arg) => arg.startsWith("/dev/"));
  const image =
    /^mkswap$/.test(call.program) || /\bluksFormat\b/.test(text)
      ? parseOptions(call.args, { short: "LUpevcshi", long: ["label", "uuid", "type", "key-file"] }).operands.at(-1)
      : undefined;
  const places = image === undefined || disks.length > 0 ? [] : call.by.paths(image, call.state);
  if (places.length > 0 && places.every((path) => isImage(path, call))) call.by.write(image!, call, "edit");
  else if (disks.length > 0) for (const disk of disks) device(disk, "wipe", call);
  else call.by.harm("disk-change", `${call.program} ${text}`);
  return UNSEEN;
};

export const DISKS: Readonly<Record<string, Program>> = {
  mkfs,
  mke2fs: mkfs,
  mkntfs: mkfs,
  mkdosfs: mkfs,
  mkexfatfs: mkfs,
  newfs: mkfs,
  newfs_apfs: mkfs,
  newfs_hfs: mkfs,
  newfs_msdos: mkfs,
  mkudffs: mkfs,
  dd,
  dcfldd: dd,
  dc3dd: dd,
  ...Object.fromEntries(Object.keys(ON_DEVICES).map((name) => [name, onDevices])),
  sg_dd: dd,
  ddpt: dd,
  // `lvm vgremove -f vg`
  lvm: (call) => call.by.run(call.args, call),
  ...together("blockdev blkid dumpe2fs xfs_info", when(/--(set|rereadpt|flushbufs)/, "disk-change")),
  wipefs: (call) =>
    parseOptions(call.args, { short: "to" }).has("a", "all", "o", "f", "force") ? wiper([])(call) : UNSEEN,
  blkdiscard: wiper([]),
  nwipe: wiper([]),
  ...Object.fromEntries(
    "ddrescue dd_rescue dd_rhelp ntfsclone partclone.ext4 partclone.restore partclone.dd fsarchiver bmaptool rpi-imager ventoy Ventoy2Disk.sh woeusb ocs-sr qemu-img usbimager caligula isodump"
      .split(" ")
      .map((name) => [name, imager]),
  ),
  // Windows: the letter of a drive.
  format: (call) => {
    const drive = call.args.find((arg) => /^[a-z]:$/i.test(arg));
    if (drive !== undefined) call.by.add({ kind: "device", path: drive, action: "format", proven: true });
    return UNSEEN;
  },
  mkswap: diskTool,
  fdisk,
  cfdisk: fdisk,
  sfdisk: fdisk,
  gdisk: fdisk,
  sgdisk: fdisk,
  cgdisk: fdisk,
  parted,
  diskutil,
  ...Object.fromEntries(
    [
      "hdparm",
      "nvme",
      "cryptsetup",
      "badblocks",
      "mdadm",
      "zpool",
      "zfs",
      "pvcreate",
      "pvremove",
      "vgremove",
      "lvremove",
      "dmsetup",
      "hdiutil",
      "debugfs",
      "growpart",
      "bcachefs",
      "make-bcache",
      "veracrypt",
      "tcplay",
      "zuluCrypt-cli",
      "blkzone",
      "sg_sanitize",
      "sg_unmap",
      "sg_write_same",
      "gpt",
      "systemd-repart",
      "etcher-cli",
    ].map((name) => [name, diskTool]),
  ),
};
