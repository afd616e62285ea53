/** Functions of an editor's Lisp that neither change nor start anything. */
const QUIET = new Set(
  `message princ prin1 print format format-message concat substring string-to-number number-to-string upcase downcase capitalize
    string-join split-string + - * / % 1+ 1- = < > <= >= max min list cons car cdr nth length reverse append vector
    emacs-version version featurep fboundp boundp functionp symbol-name current-time-string format-time-string float-time system-name
    progn prog1 if when unless cond and or not null eq equal string= string-equal string-match
    with-temp-buffer buffer-string point point-min point-max goto-char forward-line insert json-encode terpri
    native-comp-available-p buffer-list buffer-name current-buffer frame-list window-list kill-emacs user-emacs-directory`.split(
    /\s+/,
  ),
);

/** Every call in the text is of a function that only computes and prints. */
export function isQuietLisp(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  if (/["`'#\\]/.test(bare.replaceAll('""', ""))) return false;
  return [...bare.matchAll(/\(\s*([^\s()]*)/g)].every(([, head]) => head === "" || QUIET.has(head!));
}
