/**
 * What would take the guard off the tab, open one without it, end the browser, hand it a file, or hand out what signs
 * its person in.
 */
const REFUSED =
  /^(?:\w+\.\w*Cookie|Fetch\.|Target\.(?:create|attach|detach|set|auto|expose|sendMessage|openDevTools)|Browser\.(?:close|crash|setDownload|grant|setPermission|reset|executeBrowserCommand)|Page\.(?:setDownload|crash|close|handleFileChooser)|DOM\.(?:setFileInputFiles|getFileInfo)|Input\.dispatchDragEvent|Network\.(?:setBypass|loadNetworkResource|enableDeviceBound)|Storage\.|FileSystem\.|IO\.|Extensions\.|PWA\.|Tethering\.|Security\.(?:setIgnore|setOverride)|Memory\.|HeapProfiler\.|Tracing\.|SystemInfo\.)/;

/** Commands for the tab itself that run no script: they need no approval. */
const QUIET =
  /^(?:Accessibility\.(?:get|query)\w+|Browser\.getVersion|CSS\.(?:get|enable)\w*|DOM\.(?:get|query|describe|request|resolve|focus|scrollIntoView|push|performSearch|discardSearch|enable)\w*|DOMSnapshot\.captureSnapshot|Emulation\.\w+|Input\.(?:dispatchKeyEvent|dispatchMouseEvent|dispatchTouchEvent|insertText|synthesize\w+)|Page\.(?:bringToFront|capture\w+|get\w+|navigate|navigateToHistoryEntry|printToPDF|stopLoading)|Performance\.(?:enable|getMetrics)|Runtime\.(?:getProperties|globalLexicalScopeNames|releaseObject|releaseObjectGroup)|Schema\.getDomains)$/;

/** Of the tab itself, by running a script in its page, as browser_console does. */
const SCRIPTS =
  /^(?:Page\.(?:reload|addScriptToEvaluateOnNewDocument|createIsolatedWorld|setDocumentContent)|Runtime\.(?:awaitPromise|callFunctionOn|compileScript|evaluate|runScript)|DOM\.(?:setAttributeValue|setAttributesAsText|setNodeValue|setOuterHTML|removeNode|removeAttribute))$/;

/** Commands to the browser itself, not to a tab. */
export const OF_BROWSER = /^(?:Browser|Target)\./;

export const isRefused = (method: string): boolean => REFUSED.test(method);

/** Whether `browser.restrict_evaluate` permits the command. */
export const runsNoScript = (method: string): boolean => QUIET.test(method);

/** Why the command needs approval, or nothing. A forbidden command is refused without a question. */
export function questionAbout(
  method: string,
  elsewhere: boolean,
): { readonly key: string; readonly reason: string } | undefined {
  if (REFUSED.test(method)) return undefined;
  if (elsewhere)
    return {
      key: "another tab of your browser",
      reason: `It acts in another tab of your browser or in a frame: ${method}.`,
    };
  if (QUIET.test(method) || SCRIPTS.test(method)) return undefined;
  return {
    key: `browser_cdp ${method}`,
    reason: OF_BROWSER.test(method)
      ? `It affects your whole browser, including other tabs: ${method}.`
      : `It does more than read and drive the agent's tab: ${method}.`,
  };
}
