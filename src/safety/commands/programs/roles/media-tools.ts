import type { RoleRow } from "./role.ts";

/** Programs for pictures, sound, video, documents and disk images, from their manuals. */
export const MEDIA_TOOLS: readonly RoleRow[] = [
  [
    "ffmpeg ffprobe ffplay avconv avprobe",
    {
      read: "i attach",
      url: "#*",
      data: "f c vf af filter_complex map ss t to b s r v loglevel preset crf codec vcodec acodec metadata",
      words: true,
    },
  ],
  [
    "ffmpeg avconv",
    { read: "filter_script filter_complex_script progress passlogfile", url: "i progress", words: true },
  ],
  [
    "mpv mplayer vlc cvlc nvlc celluloid smplayer mpg123 mpg321 ogg123 play sox soxi rec cmus moc mocp audacious",
    {
      url: "#* playlist stream-dump sout",
      config: "config-dir include input-conf",
      load: "script scripts",
      command: "ytdl-path scripts-append",
    },
  ],
  ["mpv", { read: "playlist sub-file audio-file external-file", command: "input-ipc-client" }],
  ["vlc cvlc", { sends: "sout", load: "plugin-path", config: "config" }],
  ["gst-launch-1.0 gst-launch gst-discoverer-1.0 gst-play-1.0", { url: "#*", load: "gst-plugin-load gst-plugin-path" }],
  [
    "gst-launch-1.0 gst-launch",
    {
      sends: "#*",
      when: /\b(?:tcpclientsink|udpsink|rtmpsink|souphttpclientsink|tcpclientsrc|udpsrc|souphttpsrc|host=)/,
    },
  ],
  [
    "convert magick mogrify identify compare composite montage display animate import stream conjure gm",
    { read: "#*", load: "module" },
  ],
  ["inkscape", { url: "#*", write: "export-filename o", data: "w h d i C D" }],
  ["gimp blender krita darktable-cli rawtherapee-cli openscad freecad", { url: "#*" }],
  ["blender", { load: "P python", command: "python-expr" }],
  ["gs ghostscript ps2pdf pdf2ps ps2ascii eps2eps", { read: "#*", words: true }],
  [
    "pdftotext pdftoppm pdfinfo pdfimages pdftocairo pdfunite pdfseparate qpdf pdftk mutool mupdf poppler tesseract ocrmypdf",
    { read: "#1" },
  ],
  ["qpdf", { read: "password-file job-json-file" }],
  [
    "wkhtmltopdf wkhtmltoimage weasyprint prince puppeteer percollate vivliostyle paged cutycapt webkit2png shot-scraper pageres capture-website",
    { read: "#1", host: "proxy p", url: "#*" },
  ],
  [
    "libreoffice soffice unoconv unoserver abiword gnumeric ssconvert",
    { url: "#* accept", data: "convert-to outdir infilter" },
  ],
  ["calibre ebook-convert ebook-meta ebook-viewer kindlegen", { url: "#*", read: "read-metadata-from-opf" }],
  ["qemu-img", { read: "#* object image-opts", url: "#*", data: "f O o p s size" }],
  ["qemu-nbd qemu-io", { read: "#*", host: "b bind" }],
  [
    "qemu-system-x86_64 qemu-system-aarch64 qemu-system-i386 qemu-kvm kvm",
    {
      read: "drive cdrom hda hdb fda kernel initrd bios",
      url: "drive cdrom hda hdb netdev chardev incoming",
      sends: "incoming",
      config: "readconfig",
      words: true,
    },
  ],
  [
    "virt-install virt-clone virt-viewer virt-manager remote-viewer spicy vncviewer xfreerdp rdesktop remmina virsh",
    { host: "c connect location cdrom v", url: "#*" },
  ],
  ["xfreerdp rdesktop vncviewer tigervnc xtightvncviewer", { host: "#*" }],
  [
    "guestfish virt-cat virt-ls virt-copy-out virt-builder virt-df virt-filesystems virt-v2v",
    { url: "a add i c connect #*", read: "i" },
  ],
  [
    "skopeo oras crane regctl umoci reg dive cosign trivy grype syft",
    { host: "#2+", config: "registries-conf policy registries.d", data: "f format" },
  ],
  [
    "gdalinfo gdal_translate gdalwarp ogrinfo ogr2ogr gdal rio",
    { url: "#*", sends: "#*", when: /\/vsi(?:curl|s3|gs|az|oss|swift|webhdfs)|:\/\// },
  ],
  ["samtools bcftools bedtools tabix htsfile bgzip bwa minimap2 seqkit", { url: "#* T reference" }],
  ["dot neato fdp sfdp twopi circo graphviz plantuml mermaid mmdc d2", { read: "#*", load: "l", write: "o output" }],
  ["gnuplot", { config: "c" }],
  [
    "latex pdflatex xelatex lualatex tex latexmk tectonic context bibtex biber makeindex dvips dvipdfm",
    { url: "w web-bundle b bundle" },
  ],
  ["sphinx-build mkdocs hugo jekyll zola docfx doxygen mdbook", { url: "b" }],
  ["whisper whisper-cpp piper espeak-ng festival", { read: "f", url: "#*" }],
  ["zbarimg qrencode dmtxread barcode", { read: "#* r read-from" }],
  ["scanimage sane-find-scanner simple-scan", { host: "d device", when: /net:/ }],
  [
    "pactl pacat parec paplay parecord pw-cat pw-play pw-record",
    { host: "s server", read: "#1", when: /(?:^|\s)(?:-s|--server)/ },
  ],
  ["x11vnc vncserver Xvnc Xephyr Xnest", { host: "connect display query", words: true }],
];
