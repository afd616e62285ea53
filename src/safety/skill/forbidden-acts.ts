/** Words that turn an order round, up to the word that they forbid. */
const FORBIDS =
  /(?<![\p{L}])(?:never|do not|don['’]t|must not|should not|shouldn['’]t|cannot|can['’]t|won['’]t|will not|refuse to|decline to|avoid|rather than|instead of|not to|nothing|no|without|requests? to|orders? to|asks? to|asked to|tr(?:y|ies) to|nunca|nicht|nie|niemals|keine?|kein|jamais|ne|no se|non|não|nooit|geen|niet|никогда|не|нельзя|ні|không|đừng|jangan)(?![\p{L}])/iu;
const FORBIDS_TIGHTLY = /(?:不要|不得|不能|不可|切勿|请勿|禁止|严禁|绝不|勿|别|لا|मत)[^，。、]{0,6}$/u;
const FORBIDS_AFTER = /^[^。、]{0,8}(?:ない(?:で|こと|よう)|しません|禁止|지 마|지 않)/u;

/** "Do not ask", "without telling them" and "do not forget to" forbid nothing that comes behind them. */
const FORBIDS_OTHERS =
  /(?:do not|don['’]t|never|without|no need to|not|nicht|ohne|sans|ne|sin|no|sem|não|senza|non|не|без)\s+[\p{L}'’]{0,12}\s?(?:ask\w*|tell\w*|mention\w*|inform\w*|notify\w*|bother\w*|wait\w*|forget|hesitate|fail|stop|skip|worry|confirm\w*|comment\w*|show\w*|nur|only|just|noticing|question\w*|permission|consent|approval|approuv\w*|sagen|fragen|nachfrage|rückfrage|demander|dire|preguntar|decir\w*|avis\w*|perguntar|avisar|chiedere|dir\w*|спрашива\w*|спроса|ведома|говор\w*)/giu;

/** Whether an act of a sentence is what the sentence forbids. */
export function isForbidden(sentence: string, index: number, length: number): boolean {
  const before = sentence.slice(0, index).replace(FORBIDS_OTHERS, " ");
  return FORBIDS.test(before) || FORBIDS_TIGHTLY.test(before) || FORBIDS_AFTER.test(sentence.slice(index + length));
}
