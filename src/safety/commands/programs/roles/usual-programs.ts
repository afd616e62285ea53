/** Programs that only pass data on, compile or test, with options that name no other program. */
const PASSES =
  /^(?:(?:g|b|un)?zip2?|zcat|xz|zstd|lz4|pigz|wc|grep|cut|sort|uniq|head|tail|tr|(?:sha\d+|md5|b2|ck)sum|jq|perl|ruby|prove|valgrind|qemu-[\w-]+|wine|(?:pdf|xe|lua|up)?latex|ssh|(?:sudo )?rsync|borg|tar|cpio)(?: -{1,2}(?!e\b|c\b|o\b)[\w-]+(?:=[\w.-]+)?| %\w| \d+)*(?: > ?\$FILE[\w.]*)?$/;

/** Programs that need no question when another program starts them: pagers, editors, compressors, ssh. */
const USUAL =
  /^(?:\S*\/)?(?:less|more|most|cat|bat|delta|never|none|true|false|gzip|bzip2|xz|lz4|zstd|pigz|pbzip2|lbzip2|pixz|lzop|brotli|lzma|vi|vim|nvim|nano|emacs|micro|code|ssh|rsh|firefox|xdg-open|open|echo|make|ninja|bash|sh|zsh)?(?: -[\w-]+)*$/;

/** Whether a program may start this command line without a question: a pager, an editor, a compressor, a filter. */
export const isUsualProgram = (command: string): boolean => USUAL.test(command) || PASSES.test(command);

/** Whether the command line only filters, compiles or tests, so that data may be piped to it. */
export const passesData = (command: string): boolean => PASSES.test(command);
