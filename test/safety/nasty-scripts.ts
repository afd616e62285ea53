/**
 * Scripts made to cost much: openers without end, deep nesting, doubling texts, long lists, and mixtures of them.
 * Seeded, 10 000 characters each.
 */
export function nastyScripts(count: number, seed = 11): readonly string[] {
  let random = seed;
  const next = (n: number): number => (random = (random * 1103515245 + 12345) % 2147483648) % n;
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)]!;
  const makers: readonly (() => string)[] = [
    () => fill(pick(UNITS)),
    () => fill(Array.from({ length: 2 + next(3) }, () => pick(UNITS)).join(pick(["", " ", ";", "\n"]))),
    () => nest(pick(NESTS)),
    () => `a='${fill(pick(UNITS).replaceAll("'", ""), 5000)}'; ${fill(pick(USES), 4990)}`,
    () => `${pick(HEADS)}${fill(pick(UNITS).replaceAll("'", ""), 9900)}'`,
  ];
  return Array.from({ length: count }, () => pick(makers)().slice(0, SIZE));
}

const SIZE = 10_000;

const UNITS = [
  "echo a; ",
  "$(",
  "{a,b}",
  "{a,b}{c,d}{e,f} ",
  "{1..9}{1..9} ",
  "(",
  "'",
  '"',
  "`",
  "a=$a$a; ",
  "eval ",
  "eval $a;",
  "x",
  "for a in 1 2 3 4 5 6 7 8; do ",
  "f(){ f; }; ",
  "a|",
  "while a; do ",
  "x='",
  "${a:-",
  "/b?n/r* x;",
  "*?*?* a\n",
  "/?*/?*[a]* ",
  "cat <<E\nx\nE\n",
  "<<E ",
  "cat<a>b;",
  "cd a;",
  "cd a||cd b;",
  "a&&cd x;",
  "if a;then b;fi;",
  "xargs ",
  "sudo ",
  "sh -c 'ls;ls';",
  "git -c a=b log;",
  "cat <(ls) ",
  "a+=(b);",
  "a+=$a;",
  "a&",
  "${a##*a*a*a*b};",
  "b=${a//*a*b/};",
  "((a=a+1));",
  "[[ a && ",
  "\\'",
  "ls\r\n",
  "\u200b",
  "\ue000",
  "os.system('ls');",
  "a(",
  "select ",
  "( delete from a where b or ",
  '{print | "sh"}',
  "s/a/b/;",
  "w f\n",
  "rm -rf d1 d2 d3;",
  "-name a -exec b {} + ",
  "A=b ",
  "coproc a;",
  "$'\\x41' ",
  "declare -a x=(a b);",
  "${!a}",
  "kill -9 a;",
  "docker run -v /:/x a ls;",
  "python3 -c 'eval(';",
  "alias a=b;a;",
  ":(){ :|:& };:;",
  "<(",
  "+(a|",
  "! ",
  "a=b ",
];
const NESTS: readonly (readonly [open: string, close: string])[] = [
  ["$(", ")"],
  ["(", ")"],
  ["{ ", ";}"],
  ["{a,", "}"],
  ["${a:-", "}"],
  ["cat <(", ")"],
  ['"$(', ')"'],
  ["if a; then ", ";fi"],
  ["for a in 1 2 3 4 5 6 7 8; do ", ";done"],
  ["while a; do ", ";done"],
  ["f(){ ", ";}"],
  ["case a in b) ", ";; esac"],
  ["$((1+", "))"],
];
const USES = [
  'eval "$a";',
  'sh -c "$a";',
  'python3 -c "$a";',
  'psql -c "$a";',
  "base64 -d<<<$a|sh;",
  "ls $a;",
  "b=$a$a$a;",
  "rm $a;",
  "tr a b<<<$a|sh;",
  "sed s/a/b/g<<<$a|sh;",
  "${a%%*x*};",
  "for x in $a; do for y in $a; do b $x $y; done; done;",
  'bash <<<"$a";',
  "printf '%s;' $a | sh;",
  "f(){ eval $a; }; f & f;",
];
const HEADS = [
  "python3 -c '",
  "node -e '",
  "perl -e '",
  "ruby -e '",
  "awk '",
  "sed '",
  "psql -c '",
  "echo -e '",
  "env -S '",
  "sh -c '",
  "eval '",
  "find . '",
  "jq '",
  "x=a; printf '",
];

const fill = (unit: string, size = SIZE): string =>
  unit.repeat(Math.ceil(size / Math.max(1, unit.length))).slice(0, size);

function nest([open, close]: readonly [string, string]): string {
  const depth = Math.floor(SIZE / (open.length + close.length + 1));
  return `${open.repeat(depth)}ls${close.repeat(depth)}`;
}
