import { readableText } from "../../contract/common/text-encoding.ts";

/** One entry of a skill's folder, as it would be installed. Nothing of it was run or followed. */
export type SkillFile =
  | {
      readonly kind: "text";
      readonly path: string;
      readonly text: string;
      readonly bytes: number;
      readonly executable: boolean;
    }
  | {
      readonly kind: "binary";
      readonly path: string;
      readonly format: BinaryFormat;
      readonly bytes: number;
      readonly executable: boolean;
    }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** A socket, a device, or more than is read. */
  | { readonly kind: "unread"; readonly path: string; readonly why: string };

export type BinaryFormat = "program" | "archive" | "document" | "media" | "unknown";

/** A file's kind is what its first bytes say, whatever its name says. */
export function toSkillFile(path: string, content: Uint8Array, executable: boolean): SkillFile {
  const bytes = content.length;
  const format = formatOf(content);
  if (format !== undefined) return { kind: "binary", path, format, bytes, executable };
  // In the encoding in which the model will read it.
  const text = readableText(content);
  const broken = text.split("\uFFFD").length - 1;
  if (text.includes("\0") || broken > Math.max(8, text.length / 50))
    return { kind: "binary", path, format: "unknown", bytes, executable };
  return { kind: "text", path, text, bytes, executable };
}

const MAGIC: readonly (readonly [BinaryFormat, string])[] = [
  ["program", "7f454c46"],
  ["program", "4d5a9000"],
  ["program", "4d5a7800"],
  ["program", "feedface"],
  ["program", "feedfacf"],
  ["program", "cefaedfe"],
  ["program", "cffaedfe"],
  ["program", "cafebabe"],
  ["program", "0061736d"],
  ["program", "d0cf11e0"],
  ["program", "4c000000011402"],
  ["archive", "1f8b"],
  ["archive", "425a68"],
  ["archive", "fd377a585a00"],
  ["archive", "377abcaf271c"],
  ["archive", "526172211a07"],
  ["archive", "28b52ffd"],
  ["archive", "78617221"],
  ["media", "89504e47"],
  ["media", "ffd8ff"],
  ["media", "47494638"],
  ["media", "52494646"],
  ["media", "00000100"],
  ["media", "49443303"],
  ["media", "49443304"],
  ["media", "fffb"],
  ["media", "4f676753"],
  ["media", "664c6143"],
  ["media", "1a45dfa3"],
  ["media", "774f4646"],
  ["media", "774f4632"],
  ["media", "0001000000"],
  ["media", "4f54544f"],
  ["document", "25504446"],
  ["document", "53514c69746520666f726d6174203300"],
];

function formatOf(content: Uint8Array): BinaryFormat | undefined {
  const head = Buffer.from(content.subarray(0, 16)).toString("hex");
  const known = MAGIC.find(([, magic]) => head.startsWith(magic));
  if (known !== undefined) return known[0];
  // The first Python bytecode word ends in CR LF; a program for Windows begins with MZ and says so further on.
  if (head.slice(4, 8) === "0d0a" && content.length > 16 && content.subarray(0, 64).includes(0)) return "program";
  if (head.startsWith("4d5a") && content.subarray(0, 256).includes(0)) return "program";
  if (head.slice(8, 16) === "66747970") return "media";
  if (head.startsWith("504b0304")) return isOfficeDocument(content) ? "document" : "archive";
  return undefined;
}

/** A zip that begins as office documents do, and holds no macros. */
function isOfficeDocument(content: Uint8Array): boolean {
  const text = Buffer.from(content.subarray(0, 4096)).toString("latin1");
  const office = text.includes("[Content_Types].xml") || text.startsWith("mimetypeapplication/", 30);
  return office && !Buffer.from(content).includes("vbaProject");
}

/** The part of a name after its last dot, in lower case. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
