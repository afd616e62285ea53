import type { Program } from "../evaluate/call.ts";
import { together, when } from "./by-words.ts";

/** Programs that give others a shell, the screen or a port of this machine, and attack tools. */
export const TUNNELS: Readonly<Record<string, Program>> = {
  ...together(
    `ttyd gotty wetty shell2http shellinabox shellinaboxd sshx teleconsole tmate upterm x11vnc x0vncserver vncserver
      Xvnc wayvnc telnetd in.telnetd rshd in.rshd rexecd sshd dropbear tinysshd pwncat pwncat-cs msfconsole msfvenom
      msfrpcd evil-winrm sliver-client sliver-server cryptcat sbd rcat rustcat powercat dnscat dnscat2 iodine
      iodined ptunnel hans villain havoc starkiller weevely responder bettercap ettercap beef-xss gs-netcat gsocket
      blitz rustdesk anydesk teamviewer frpc frps chisel ligolo ligolo-proxy ligolo-agent revsocks rpivot regeorg
      gost nps npc zrok inlets pagekite boringproxy rathole`,
    when(/^(?!(--?(help|version|V|t|T)$|status$|version$)).*/, "reverse-shell"),
  ),
  ...together(
    "ngrok",
    when(/\bfile:\/\//, "secret-send"),
    when(/^(tcp|tls|ssh|start)\b|\b(22|3389|5900)\b/, "reverse-shell"),
  ),
  ...together("bore lt localtunnel serveo loophole expose", when(/\b(22|3389|5900|2375|6443)\b/, "reverse-shell")),
  ...together(
    "cloudflared",
    when(/(ssh|rdp|tcp|vnc|smb):\/\//, "reverse-shell"),
    when(/^service (install|uninstall)|^tunnel (delete|cleanup)/, "infrastructure"),
  ),
  ...together(
    "tailscale",
    when(/^(funnel|serve)\b(?!.*\b(status|reset|off)\b)|--ssh\b/, "reverse-shell"),
    when(/^(down|logout|set)\b/, "service-stop"),
  ),
  ...together("zerotier-cli", when(/^(join|leave|set)\b/, "system-config")),
  ...together("devtunnel", when(/^host\b/, "reverse-shell"), when(/^delete/, "infrastructure")),
  ...together(
    "code-server openvscode-server",
    when(/--auth[= ]none|0\.0\.0\.0|--without-connection-token|--host/, "reverse-shell"),
  ),
  ...together(
    "jupyter jupyter-lab jupyter-notebook",
    when(/(token|password)=?(''|""|\s|$)|--ip[= ](0\.0\.0\.0|\*)|--allow-root.*0\.0\.0\.0/, "reverse-shell"),
  ),
  ...together(
    "mimikatz lazagne secretsdump.py secretsdump impacket-secretsdump firefox_decrypt.py chromepass hashdump",
    when(/^/, "secret-read"),
  ),
};
