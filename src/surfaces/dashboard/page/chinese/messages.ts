import { INSTALLING } from "./installing.ts";

/** Messages and hints of the server: `{}` is a value. A message without a translation is shown in English. */
export const MESSAGES: { readonly [english: string]: string } = {
  ...INSTALLING,
  // Requests
  "The request path is not a valid URL.": "请求路径不是有效的 URL。",
  "Only GET and HEAD are allowed for files.": "文件只允许 GET 和 HEAD。",
  "No route {} {}.": "没有路由 {} {}。",
  "See the page Logs for details.": "详情见“日志”页面。",
  "No such file.": "没有这个文件。",
  "The request body is too large.": "请求正文太大。",
  "The request body is not JSON: {}": "请求正文不是 JSON：{}",
  "The request body must be a JSON object.": "请求正文必须是 JSON 对象。",
  'The field "{}" of the request must be a string.': "请求的字段“{}”必须是字符串。",
  'The field "{}" of the request must be a list of strings.': "请求的字段“{}”必须是字符串列表。",
  "This dashboard does not accept the host name {}.": "此仪表盘不接受主机名 {}。",
  "Open the address that hermes dashboard printed.": "请打开 hermes dashboard 输出的地址。",
  "Pages of other origins may not use this dashboard.": "其他来源的页面不能使用此仪表盘。",
  "Open the dashboard directly.": "请直接打开仪表盘。",
  "The token is missing or belongs to another run of the dashboard.": "缺少令牌，或者令牌属于仪表盘的另一次运行。",
  "Open the link that hermes dashboard printed; each start prints a new one.":
    "请打开 hermes dashboard 输出的链接；每次启动都会输出新的链接。",
  "The dashboard is open in more than {} pages.": "仪表盘已在超过 {} 个页面中打开。",
  "Close some of them, then reload this one.": "请关闭其中一些，然后重新加载此页面。",
  'There is no topic "{}".': "没有主题“{}”。",
  "The topics are {}.": "主题有：{}。",
  "The position must be a whole number.": "位置必须是整数。",
  "Use one of: {}.": "请使用其中之一：{}。",
  // Operations
  "This question is no longer open.": "这个问题已经关闭。",
  "Start the operation again.": "请重新开始操作。",
  'The command "{}" is not available: its plugin is not enabled.': "命令“{}”不可用：它的插件未启用。",
  "Enable the plugin on the page Plugins.": "请在“插件”页面启用该插件。",
  "Install it?": "要安装吗？",
  "Enable '{}' now?": "现在启用“{}”吗？",
  "Let it replace it?": "允许它替换吗？",
  "Let it replace them?": "允许它替换这些工具吗？",
  "Install into the plugin's folder, without running their scripts?": "安装到插件的文件夹，不运行它们的脚本，可以吗？",
  "Install into a virtual environment for this plugin, from wheels only?":
    "仅用 wheel 安装到此插件的虚拟环境，可以吗？",
  "{} (stored in .env, input hidden): ": "{}（保存在 .env 中，输入不显示）：",
  "{} (stored in .env): ": "{}（保存在 .env 中）：",
  'Install "{}"? The agent will follow its instructions.': "安装“{}”吗？代理会遵照其中的指令。",
  // Settings and keys
  '"{}" is a variable, not a setting.': "“{}”是变量，不是设置。",
  "Change it on the page Keys.": "请在“密钥”页面修改。",
  "Cannot save {}: the value is empty.": "无法保存 {}：值为空。",
  "Enter a value, or choose Remove to delete the variable.": "请输入值，或选择“移除”来删除该变量。",
  "{} comes from {}, not from {}.": "{} 来自 {}，而不是 {}。",
  "Remove it from the environment in which Hermes starts.": "请从 Hermes 启动时的环境中移除它。",
  '"{}" is not a valid key name: use capitals, digits and _.': "“{}”不是有效的密钥名称：请使用大写字母、数字和 _。",
  '"{}" contains a secret, and the mask {} would replace it.': "“{}”包含密钥，掩码 {} 会替换它。",
  "Enter the whole value, or edit the file: hermes config edit.": "请输入完整的值，或编辑文件：hermes config edit。",
  '"{}" cannot be {}.': "“{}”不能是 {}。",
  "The configuration is not valid.\n{}": "配置无效。\n{}",
  "hermes config edit opens the file; hermes doctor checks it again.":
    "hermes config edit 打开该文件；hermes doctor 再次检查它。",
  "hermes config set model.base_url URL": "hermes config set model.base_url URL",
  "hermes config edit": "hermes config edit",
  '"{}" is not a setting.': "“{}”不是设置。",
  "`hermes config show --all` lists every setting.": "`hermes config show --all` 列出所有设置。",
  'Did you mean "{}"?': "你是指“{}”吗？",
  "{} Nothing was changed.": "{} 没有任何更改。",
  // Jobs and logs
  'Unknown job action "{}".': "未知的任务操作“{}”。",
  '"{}" matches several jobs:\n{}': "“{}”匹配多个任务：\n{}",
  "Use the id.": "请使用 id。",
  'There is no job "{}".': "没有任务“{}”。",
  "hermes cron list shows all jobs.": "hermes cron list 显示所有任务。",
  'Did you mean "{}"? hermes cron list shows all jobs.': "你是指“{}”吗？hermes cron list 显示所有任务。",
  "A job needs a schedule.": "任务需要时间安排。",
  'hermes cron create "every 30m" "check the mail"': 'hermes cron create "every 30m" "check the mail"',
  'The scheduled time of "{}" has passed ({}).': "“{}”的预定时间已过（{}）。",
  "hermes cron run {} runs it now; hermes cron edit {} --schedule … sets another time.":
    "hermes cron run {} 立即运行；hermes cron edit {} --schedule … 设定其他时间。",
  "A job without the agent needs a script.": "不使用代理的任务需要脚本。",
  "--script NAME, a file in ~/.hermes/scripts.": "--script NAME，即 ~/.hermes/scripts 中的文件。",
  "A job needs a prompt or a skill.": "任务需要提示词或技能。",
  "The job's prompt was refused: {}.": "任务的提示词被拒绝：{}。",
  "Jobs run unattended. Describe the work in plain text.": "任务在无人值守时运行。请用普通文字描述工作。",
  'The job\'s working folder must be the absolute path of an existing folder, not "{}".':
    "任务的工作文件夹必须是已有文件夹的绝对路径，而不是“{}”。",
  '"{}" is not a schedule.': "“{}”不是时间安排。",
  'Once: "30m", "2h", "1d", "2026-12-01T09:00". Repeatedly: "every 30m", "every day at 9am", "every sunday 18:30", or a cron expression such as "0 9 * * 1-5".':
    '一次："30m"、"2h"、"1d"、"2026-12-01T09:00"。重复："every 30m"、"every day at 9am"、"every sunday 18:30"，或 cron 表达式，例如 "0 9 * * 1-5"。',
  'The interval "{}" is longer than ten years.': "间隔“{}”超过十年。",
  "Use a shorter interval.": "请使用更短的间隔。",
  'The cron expression "{}" cannot be read: {}.': "无法读取 cron 表达式“{}”：{}。",
  "Write minute, hour, day of the month, month, day of the week, each a number, *, a list, a range or a step: 0 9 * * 1-5.":
    "依次写分、时、日、月、星期，每项为数字、*、列表、范围或步长：0 9 * * 1-5。",
  'The cron expression "{}" never matches a date.': "cron 表达式“{}”不会匹配任何日期。",
  'The time "{}" is in the past (it is {} here).': "时间“{}”已经过去（这里现在是 {}）。",
  "Use a later time.": "请使用更晚的时间。",
  'Another process has removed the job "{}".': "另一个进程移除了任务“{}”。",
  'There is no log "{}".': "没有日志“{}”。",
  "The logs are agent and errors.": "日志有 agent 和 errors。",
  '"{}" is not a log level.': "“{}”不是日志级别。",
  // Usage
  'Costs cannot be grouped by "{}".': "费用不能按“{}”分组。",
  "Groups: {}.": "分组：{}。",
  '"{}" is no day to count from.': "“{}”不能作为起始日。",
  "Use a number of days (7d), a date (2026-11-29), today or month.":
    "请使用天数（7d）、日期（2026-11-29）、today 或 month。",
  // Plugins and skills
  'No running plugin "{}" has a dashboard part.': "没有正在运行的插件“{}”带有仪表盘部分。",
  'The page of "{}" may not run the command "{}".': "“{}”的页面不能运行命令“{}”。",
  'Its manifest lists no commands in "api".': "它的清单在 “api” 中没有列出命令。",
  'Its manifest lists in "api": {}.': "它的清单在 “api” 中列出：{}。",
  '"{}" is not a decision about a tool.': "“{}”不是对工具的决定。",
  'There is no skill "{}".': "没有技能“{}”。",
  "Load the page again: it may have been removed.": "请重新加载页面：它可能已被移除。",
  // MCP servers
  'Unknown command "hermes mcp {}".': "未知命令“hermes mcp {}”。",
  "Commands: {}.": "命令：{}。",
  "hermes mcp list takes no name.": "hermes mcp list 不需要名称。",
  "hermes mcp {} needs the name of one server.": "hermes mcp {} 需要一个服务器的名称。",
  "`hermes mcp {} --help` shows the usage.": "`hermes mcp {} --help` 显示用法。",
  'An MCP server "{}" already exists.': "MCP 服务器“{}”已存在。",
  "Remove it first with: hermes mcp remove {}": "请先移除：hermes mcp remove {}",
  'Cannot add the MCP server "{}": {}.': "无法添加 MCP 服务器“{}”：{}。",
  "Run: hermes mcp add --help": "请运行：hermes mcp add --help",
  "{} The server was not added.": "{} 服务器未添加。",
  "Use --unchecked to add it without connecting.": "要在不连接的情况下添加，请使用 --unchecked。",
  "Use only one of --include, --exclude and --all.": "--include、--exclude 和 --all 只能使用一个。",
  '"{}" has no tool "{}".': "“{}”没有工具“{}”。",
  "Its tools: {}.": "它的工具：{}。",
  'Cannot sign in to the MCP server "{}": its configuration does not have auth: oauth.':
    "无法登录 MCP 服务器“{}”：它的配置没有 auth: oauth。",
  "If the server uses OAuth, run: hermes config set mcp_servers.{}.auth oauth":
    "如果服务器使用 OAuth，请运行：hermes config set mcp_servers.{}.auth oauth",
  "--{} must be a number of seconds, not {}.": "--{} 必须是秒数，而不是 {}。",
  'Cannot use the MCP server "{}": {}.': "无法使用 MCP 服务器“{}”：{}。",
  'The MCP server "{}" is disabled.': "MCP 服务器“{}”已停用。",
  "Enable it with: hermes config set mcp_servers.{}.enabled true":
    "启用命令：hermes config set mcp_servers.{}.enabled true",
  'There is no MCP server "{}".': "没有 MCP 服务器“{}”。",
  "Add one with: hermes mcp add NAME": "添加命令：hermes mcp add NAME",
  "Configured servers: {}.": "已配置的服务器：{}。",
  "--{} must be NAME=VALUE, not {}.": "--{} 必须是 NAME=VALUE，而不是 {}。",
  // Memory
  "The plugin tool-memory is off, so there are no notes.": "插件 tool-memory 已关闭，因此没有笔记。",
  "Turn it on with: hermes plugins enable tool-memory": "启用命令：hermes plugins enable tool-memory",
  'Unknown memory action "{}".': "未知的记忆操作“{}”。",
  '"{}" is not an id of the notes.': "“{}”不是笔记的 id。",
  'No entry has the id or the text "{}".': "没有条目的 id 或文字是“{}”。",
  '{} entries contain "{}".': "{} 个条目包含“{}”。",
  "/memory list shows the entries with their ids.": "/memory list 显示条目及其 id。",
  'There is no change "{}".': "没有更改“{}”。",
  "/memory log lists the changes.": "/memory log 列出更改。",
  "The entry of change {} is not in {} any more.": "更改 {} 的条目已不在 {} 中。",
  "A later change replaced it: revert that one first. /memory log lists the changes.":
    "后来的更改替换了它：请先撤销那个更改。/memory log 列出更改。",
  "Change {} is reverted already: its earlier text is in {}.": "更改 {} 已经撤销：先前的文字在 {} 中。",
  "A line with only § separates entries; the text of one entry cannot contain it.":
    "只有 § 的一行用来分隔条目；单个条目的文字不能包含它。",
  "The text contains a secret, which every new session would read. Nothing was changed.":
    "文字包含密钥，每个新会话都会读到它。没有任何更改。",
  "The entry {} was changed meanwhile. Nothing was changed.": "条目 {} 在此期间被更改。没有任何更改。",
  "{} would have {} characters; its limit is {}. Nothing was changed.": "{} 将有 {} 个字符；上限是 {}。没有任何更改。",
  "Shorten or remove other entries first.": "请先缩短或移除其他条目。",
  "No change waits for your approval.": "没有等待你批准的更改。",
  'No pending change has the id "{}".': "没有 id 为“{}”的待批准更改。",
  "/memory pending lists them.": "/memory pending 列出它们。",
  // Checkpoints
  "This checkpoint no longer exists.": "这个检查点已不存在。",
  "Load the page again to see the current ones.": "请重新加载页面以查看当前的检查点。",
  'Cannot roll back "{}": it has not changed since that turn, or no checkpoint contains it.':
    "无法恢复“{}”：自那一轮以来它没有更改，或没有检查点包含它。",
  "Omit the file to undo all files of the turn.": "省略文件即可撤销该轮的所有文件。",
  "There is no rollback to redo in this conversation.": "此对话中没有可以重做的恢复。",
  "No turn of this conversation has a checkpoint with changed files.": "此对话没有任何一轮带有已更改文件的检查点。",
  "There is no checkpoint {}; {}.": "没有检查点 {}；{}。",
  // Gateway
  "This pairing request no longer exists.": "这个配对请求已不存在。",
  "A request is valid for one hour. The user can write to the bot again for a new one.":
    "请求在一小时内有效。用户可以再次给机器人发消息以获得新的请求。",
  "{} has no access by a code on {}.": "{} 在 {} 上没有通过配对码获得的访问权限。",
  "To revoke a user who is listed in .env, edit .env.": "要撤销 .env 中列出的用户，请编辑 .env。",
  "This message does not wait for a decision any more.": "这条消息不再等待处理。",
  "It was sent or queued again. Load the page again.": "它已发送或已重新排队。请重新加载页面。",
  // Chats and approvals
  "Approval needed: {}": "需要审批：{}",
  "No such approval is pending.": "没有这个待处理的审批。",
  "This approval is closed: it was answered or withdrawn, or its time is over.":
    "这个审批已关闭：它已被回答或撤回，或者已超时。",
  "This approval must be answered at the terminal that asks.": "此审批必须在提问的终端中回答。",
  "Switch to that terminal.": "请切换到那个终端。",
  "Allow the call once, or deny it.": "请允许这次调用一次，或拒绝它。",
  "This approval does not offer that answer.": "此审批没有这个答案。",
  "Its answers are {}.": "它的答案有：{}。",
  'Session "{}" has no call "{}".': "会话“{}”没有调用“{}”。",
  'Session "{}" was removed.': "会话“{}”已被移除。",
  'This chat has no call "{}".': "此聊天没有调用“{}”。",
  '"{}" is not a folder of this machine.': "“{}”不是这台机器上的文件夹。",
  "Enter the absolute path of an existing folder; ~ is your home.": "请输入已有文件夹的绝对路径；~ 表示你的主目录。",
  "This chat has ended.": "此聊天已结束。",
  "Start a new chat.": "请开始新的聊天。",
  "A terminal size needs rows and columns.": "终端大小需要行数和列数。",
  "The agent has already read this message.": "代理已经读过这条消息。",
  "The dashboard is closing.": "仪表盘正在关闭。",
  "Session {} belongs to a chat user ({}).": "会话 {} 属于聊天用户（{}）。",
  "Continue it in that chat, or branch it to continue a copy here.": "请在那个聊天中继续，或创建分支在这里继续副本。",
  "This question is closed: it was answered or withdrawn, or its time is over.":
    "这个问题已关闭：它已被回答或撤回，或者已超时。",
  "The answer is empty.": "答案为空。",
  "Enter a text, or dismiss the question.": "请输入文字，或忽略这个问题。",
  "The answer is none of the choices.": "答案不在选项之中。",
  "Choose one of: {}.": "请选择其中之一：{}。",
  'The field "attachments" must be a list.': "字段“attachments”必须是列表。",
  "A message can have at most {} attachments.": "一条消息最多可以有 {} 个附件。",
  "An attachment needs a name and its data as base64.": "附件需要名称和 base64 形式的数据。",
  '"{}" is empty.': "“{}”是空的。",
  '"{}" is larger than {} MB.': "“{}”大于 {} MB。",
  "Copy it to the chat's folder and name its path instead.": "请把它复制到聊天的文件夹，然后写出路径。",
  'The field "seq" must be the number of a fact.': "字段“seq”必须是事实的编号。",
  'The field "inputId" must have 8 to 64 letters, digits, - or _.':
    "字段“inputId”必须有 8 到 64 个字母、数字、- 或 _。",
  "The message has more than {} characters.": "消息超过 {} 个字符。",
  "Attach it as a file.": "请作为文件附上。",
};

/** Most of the text first: `{} Nothing was changed.` also matches what a longer one says better. */
let patterns: readonly (readonly [RegExp, string])[] | undefined;

/** The Chinese of a message, with its values; `undefined` for a message without one. */
export function translated(english: string): string | undefined {
  const exact = MESSAGES[english];
  if (exact !== undefined) return exact;
  patterns ??= Object.entries(MESSAGES)
    .filter(([key]) => key.includes("{}"))
    .toSorted(([one], [other]) => other.replaceAll("{}", "").length - one.replaceAll("{}", "").length)
    .map(([key, chinese]) => [
      new RegExp(
        `^${key
          .split("{}")
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join("([^]*?)")}$`,
      ),
      chinese,
    ]);
  for (const [pattern, chinese] of patterns) {
    const values = pattern.exec(english)?.slice(1);
    if (values === undefined) continue;
    let at = 0;
    return chinese.replaceAll("{}", () => {
      const value = values[at++] ?? "";
      // A message may be a part of another.
      return /[.?!]$/.test(value) ? (translated(value) ?? value) : value;
    });
  }
  return undefined;
}
