/** Refusals of installing and uninstalling skills and plugins, and what a chat platform lacks. */
export const INSTALLING: { readonly [english: string]: string } = {
  // Skills
  "There is no skill in {}.": "{} 中没有技能。",
  "A skill is a folder with a SKILL.md.": "技能是带有 SKILL.md 的文件夹。",
  "{} holds {} skills.": "{} 中有 {} 个技能。",
  '"{}" matches several skills of {}.': "“{}”匹配 {} 中的多个技能。",
  'There is no skill "{}" in {}.': "没有技能“{}”：{}。",
  "Add the name of one: {}.": "请加上其中一个的名称：{}。",
  'A skill cannot be installed as "{}{}".': "技能不能以“{}{}”为名称安装。",
  "--name and --category may contain lower-case letters, digits, dots, _ and -.":
    "--name 和 --category 只能包含小写字母、数字、点、_ 和 -。",
  '"{}" is not installed: {} source, {}, {} finding{}.\n{}':
    "“{}”未安装：来源 {}，扫描结果 {}，发现 {} 项（finding{}）。\n{}",
  "Check the findings first. To install it anyway: --force": "请先检查扫描的发现。仍要安装：--force",
  '"{}" was not installed by hermes skills install.': "“{}”不是由 hermes skills install 安装的。",
  "`hermes skills list --source hub` shows the installed ones.": "`hermes skills list --source hub` 显示已安装的技能。",
  'The skill "{}" already exists: {}.': "技能“{}”已存在：{}。",
  "Use another name: --name NAME": "请使用其他名称：--name NAME",
  '"{}" is already installed, from {}.': "“{}”已安装，来自 {}。",
  "To reinstall it: --force. The current version stays in `hermes skills history`.":
    "重新安装：--force。当前版本保留在 `hermes skills history` 中。",
  '"{}" was not installed: no one could be asked for confirmation.': "“{}”未安装：无法请求确认。",
  "Confirm with --yes.": "请用 --yes 确认。",
  "The skill was not downloaded: {} is a link.": "技能未下载：{} 是链接。",
  "skills.registries.{}.url is not a valid URL: {}.": "skills.registries.{}.url 不是有效的 URL：{}。",
  "{} is not reachable: {}": "无法连接 {}：{}",
  "{} received too many requests.{}": "{} 收到的请求过多。{}",
  "{} denied access ({}).": "{} 拒绝访问（{}）。",
  "{} answered with status {}.{}": "{} 返回状态 {}。{}",
  "{} sent an unexpected answer.": "{} 返回了意外的回答。",
  "Its API may have changed, or a proxy answered instead.": "它的 API 可能已更改，或者是代理返回的回答。",
  "{} sent a file with an unsafe name: {}.": "{} 发送了名称不安全的文件：{}。",
  "{} is too large for a skill: at most {} files, together {} MB.": "{} 对技能来说太大：最多 {} 个文件，共 {} MB。",
  "Source {} is disabled: skills.sources does not include it.": "来源 {} 已停用：skills.sources 不包含它。",
  "The skill was not downloaded: {} of {}/{} is a link.": "技能未下载：{}（{}/{}）是链接。",
  "The skill was not downloaded: the content of {} from {}/{} does not match the checksum in its commit.":
    "技能未下载：{}（来自 {}/{}）的内容与其提交中的校验和不符。",
  "A proxy between this machine and GitHub may have changed the file. Try again on another network.":
    "这台机器与 GitHub 之间的代理可能更改了文件。请换一个网络重试。",
  // Plugins
  'Cannot install from {}: "{}" is not a file, folder or link.': "无法从 {} 安装：“{}”不是文件、文件夹或链接。",
  'Cannot install from {}: the link "{}" is broken.': "无法从 {} 安装：链接“{}”已损坏。",
  'Cannot install from {}: the link "{}" leads out of the folder.': "无法从 {} 安装：链接“{}”指向文件夹之外。",
  "There is no folder {}.": "没有文件夹 {}。",
  "{} is neither a folder nor a .tar.gz.": "{} 既不是文件夹，也不是 .tar.gz。",
  "There is no file {}.": "没有文件 {}。",
  '{} has no folder "{}".': "{} 没有文件夹“{}”。",
  "The npm package {} is not a plugin for Hermes.": "npm 包 {} 不是 Hermes 的插件。",
  'The package.json of a plugin has "hermes": { "plugin": … }.': '插件的 package.json 包含 "hermes": { "plugin": … }。',
  "The Python package {} is not a plugin for Hermes.": "Python 包 {} 不是 Hermes 的插件。",
  "The package of a plugin has an entry point in the group {}.": "插件的包在组 {} 中有入口点。",
  "There is no plugin.yaml in {}.": "{} 中没有 plugin.yaml。",
  "To name a folder inside, put it behind a #, or behind owner/repo/.":
    "要指定其中的文件夹，请写在 # 之后，或 owner/repo/ 之后。",
  "The package in {} has an invalid name: {}.": "{} 中的包名称无效：{}。",
  '"{}" is not a package of an index, so it is not installed.': "“{}”不是索引中的包，因此不安装。",
  "Check it, and install it with pip yourself.": "请检查它，并自行用 pip 安装。",
  "Put a matching Python on PATH (python3.12, python3.13 and so on); Hermes uses the oldest that fits.":
    "请在 PATH 中放入合适的 Python（python3.12、python3.13 等）；Hermes 使用满足要求的最旧版本。",
  "Cannot install {}: the requirements conflict, or a dependency has no wheel for this Python. {}":
    "无法安装 {}：要求相互冲突，或某个依赖没有适合此 Python 的 wheel。{}",
  "{} To see which is missing, run: {}": "{} 要查看缺少哪一个，请运行：{}",
  "Cannot install {}: the package index did not answer.": "无法安装 {}：包索引没有回答。",
  "{} has no wheel for this Python. It has wheels for: {}. {}": "{} 没有适合此 Python 的 wheel。现有 wheel：{}。{}",
  "Cannot install {}: it has no wheel for this Python, only its source. {}":
    "无法安装 {}：它没有适合此 Python 的 wheel，只有源代码。{}",
  "Cannot install {}: the package index has no version for this Python.":
    "无法安装 {}：包索引中没有适合此 Python 的版本。",
  "If the plugin is published elsewhere, install it from owner/repo, a Git URL, a folder or a .tar.gz.":
    "如果插件发布在别处，请从 owner/repo、Git URL、文件夹或 .tar.gz 安装。",
  "There is already a plugin in {}.": "{} 中已有插件。",
  "Use --force to replace it.": "用 --force 替换它。",
  "Run `hermes plugins update {}` to fetch it again, or use --force to replace it.":
    "运行 `hermes plugins update {}` 重新获取它，或用 --force 替换它。",
  '"{}" is not a valid name of a branch, tag or commit.': "“{}”不是有效的分支、标签或提交名称。",
  '"{}" is not a source that Hermes can fetch a plugin from.': "“{}”不是 Hermes 可以获取插件的来源。",
  "Use {}.": "请使用 {}。",
  '"{}" leads out of the repository.': "“{}”指向仓库之外。",
  'Cannot delete the plugin "{}" in {}: it is not in your home.': "无法删除插件“{}”（位于 {}）：它不在你的主目录中。",
  "Run `hermes plugins disable {}` to stop it from running.": "运行 `hermes plugins disable {}` 使它不再运行。",
  "Hermes installs a version only some hours after it was published, so that others can find problems first. plugins.cooling_off_hours sets how many.":
    "版本发布数小时后 Hermes 才会安装，以便其他人先发现问题。plugins.cooling_off_hours 设定小时数。",
  "{} did not finish within {} minutes.": "{} 没有在 {} 分钟内完成。",
  "{} is not installed, but this command needs it.": "{} 未安装，但此命令需要它。",
  "Cannot start {}: {}": "无法启动 {}：{}",
  "{} failed (status {}).\n{}": "{} 失败（状态 {}）。\n{}",
  "Cannot unpack {}: {}": "无法解压 {}：{}",
  "Cannot unpack {}: it is damaged, or larger than {} MB.": "无法解压 {}：它已损坏，或大于 {} MB。",
  // What a chat platform or the API server lacks
  "{} is not set": "未设置 {}",
  "{} are not set": "未设置 {}",
  "its requirements are missing": "缺少它的依赖",
  "its requirements are missing: {}": "缺少它的依赖：{}",
  "its settings are incomplete": "它的设置不完整",
  "its plugin failed: {}": "它的插件失败：{}",
  'its plugin "{}" failed: {}': "它的插件“{}”失败：{}",
  'its plugin "{}" is not enabled': "它的插件“{}”未启用",
  "no installed plugin provides it": "没有已安装的插件提供它",
  "no installed plugin provides it ({})": "没有已安装的插件提供它（{}）",
  "its port must be a whole number from 0 to 65535, not {}": "它的端口必须是 0 到 65535 的整数，而不是 {}",
  "{} is not an origin such as https://chat.example.org": "{} 不是来源，例如 https://chat.example.org",
  "Hermes does not read its key from config.yaml; set API_SERVER_KEY in .env":
    "Hermes 不从 config.yaml 读取它的密钥；请在 .env 中设置 API_SERVER_KEY",
  "API_SERVER_KEY is not set; create one with `openssl rand -hex 32`":
    "未设置 API_SERVER_KEY；用 `openssl rand -hex 32` 创建",
  "API_SERVER_KEY has {} characters; the minimum is {}": "API_SERVER_KEY 有 {} 个字符；至少需要 {} 个",
  "API_SERVER_KEY contains characters that are not allowed in an HTTP header; use letters, digits and punctuation, without spaces":
    "API_SERVER_KEY 包含 HTTP 头不允许的字符；请使用字母、数字和标点，不含空格",
  "API_SERVER_KEY is a placeholder from an example; create a key with `openssl rand -hex 32`":
    "API_SERVER_KEY 是示例中的占位符；请用 `openssl rand -hex 32` 创建密钥",
};
