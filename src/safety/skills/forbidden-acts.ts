/** Words that turn an order round, up to the word that they forbid. */
const FORBIDS =
  /(?<![\p{L}])(?:never|do not|don['’]t|must not|should not|shouldn['’]t|refuse to|decline to|avoid|rather than|instead of|not to|requests? to|orders? to|asks? to|asked to|tr(?:y|ies) to|nunca|nicht|nie|niemals|jamais|nooit|niet|никогда|нельзя|đừng|jangan)(?![\p{L}])/iu;
/** These reach no further than their clause: "it cannot be cancelled, and ask them". */
const FORBIDS_CLAUSE =
  /(?<![\p{L}])(?:cannot|can['’]t|won['’]t|will not|nothing|no|without|keine?|kein|ne|non|não|geen|не|ні|không)(?![\p{L}])/iu;
const FORBIDS_TIGHTLY = /(?:不要|不得|不能|不可|切勿|请勿|禁止|严禁|绝不|勿|别|لا|मत)[^，。、]{0,6}$/u;
const FORBIDS_AFTER = /^[^。、]{0,8}(?:ない(?:で|こと|よう)|しません|禁止|지 마|지 않)/u;

/** "Do not ask", "without telling them" and "do not forget to" forbid nothing that comes behind them. */
const FORBIDS_OTHERS =
  /(?:do not|don['’]t|never|without|no need to|not|nicht|ohne|sans|ne|sin|no|sem|não|senza|non|не|без)\s+[\p{L}'’]{0,12}\s?(?:ask\w*|tell\w*|mention\w*|inform\w*|notify\w*|bother\w*|wait\w*|forget|hesitate|fail|stop|skip|worry|confirm\w*|comment\w*|show\w*|nur|only|just|noticing|question\w*|permission|consent|approval|approuv\w*|sagen|fragen|nachfrage|rückfrage|demander|dire|preguntar|decir\w*|avis\w*|perguntar|avisar|chiedere|dir\w*|спрашива\w*|спроса|ведома|говор\w*)/giu;

/** "Do **not** write". */
const EMPHASIS = /\*{1,3}(?=\p{L})|(?<=\p{L})\*{1,3}/gu;

/** Whether an act of a sentence is what the sentence forbids. */
export function isForbidden(sentence: string, index: number, length: number): boolean {
  const before = sentence.slice(0, index).replace(EMPHASIS, "").replace(FORBIDS_OTHERS, " ");
  return (
    FORBIDS.test(before.slice(lastOf(before, /[;:]\s|\s(?:but|instead(?! of)|sondern|mais|sino|но)\s/giu))) ||
    FORBIDS_CLAUSE.test(before.slice(lastOf(before, /[,;:]\s|\s(?:and|so|but|then|und|et|y|e|и)\s/giu))) ||
    FORBIDS_TIGHTLY.test(before) ||
    FORBIDS_AFTER.test(sentence.slice(index + length))
  );
}

/** Where the last of these ends. */
function lastOf(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
