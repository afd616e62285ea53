import type { Program } from "../evaluate/call.ts";
import { together, when } from "./by-words.ts";

const always = when(/^(?!--?(help|version)$)/, "power");

/** Programs that stop the machine: other init systems, desktops, power supplies. */
export const POWER_TOOLS: Readonly<Record<string, Program>> = {
  ...together(
    "openrc-shutdown s6-linux-init-hpr s6-linux-init-shutdown s6-shutdown s6-reboot s6-poweroff s6-halt dinit-shutdown rc-shutdown hibernate-ram sysvinit-shutdown runsvdir-stop",
    when(/^(-c|--cancel)$/, "service-stop"),
    always,
  ),
  ...together("runit-init openrc-init sinit minit", when(/^[06]$/, "power")),
  ...together(
    "dinitctl finit",
    when(/(^|\s)(shutdown|reboot|halt|poweroff)\b/, "power"),
    when(/(^|\s)(stop|restart|unpin|release|disable)\b/, "service-stop"),
  ),
  ...together(
    "shepherd herd",
    when(/(^|\s)(--halt|power-off|halt|reboot)\b|\bstop (root|shepherd)\b/, "power"),
    when(/^(stop|restart|disable|kill)\b/, "service-stop"),
  ),
  ...together("upsmon upsdrvctl apcupsd", when(/(^|\s)(-c fsd|shutdown|--killpower|-k)(\s|$)/, "power")),
  ...together(
    "gnome-session-quit mate-session-save cinnamon-session-quit xfce4-session-logout lxqt-leave lxsession-logout plasma-shutdown",
    when(/--(power-off|poweroff|shutdown-dialog|shutdown|halt|reboot)\b/, "power"),
    when(/--(logout|force|suspend|hibernate)\b/, "service-stop"),
  ),
  ...together(
    "qdbus qdbus6 qdbus-qt5 dcop",
    when(/\b(logout(AndShutdown|AndReboot)?\s+-?\d\s+[12]|logoutAnd(Shutdown|Reboot)|PowerOff|Reboot|Halt)\b/, "power"),
  ),
  ...together("pm-suspend pm-hibernate pm-suspend-hybrid zzz", when(/^(?!--help)/, "service-stop")),
};
