/** The words by which authors of tools say that something is taken away, written over or shown. */

/**
 * Verbs that say it all, alone (`delete`), with their thing (`delete-bucket`, `apps:destroy`) or joined to it
 * (`droplet-delete`).
 */
export const DESTROYS =
  /^((rmr|deleteall|cleanse|delete|destroy|terminate|purge|wipe|nuke|erase|obliterate|factory-?reset|drop|truncate|teardown|tear-down|flush-?all|destroy-?all|delete-?all)([.:_-].*)?|[\w:.-]+[.:_-](delete|destroy|terminate|purge|wipe|drop|erase|reset-db|truncate)|(disconnect|remove|kill|detach|unmount|disable|revoke|clear|flush|logout|stop|expire)-all|del[-_]?(node|user|group|host|key|pool|member|peer|zone|rec|record|vol|volume|snapshot|domain|vm)s?|(\w+-)?undefine|demote|failover|forget[_-]\w+|leave[_-](org|cluster|domain|node|group)\w*|generate-root|safe-restart|step-?down)$/i;
/** The next word names a new thing, or a thing to inspect. */
export const MAKES =
  /^((generate|g|new|create|init|make|scaffold|add)([:_-].*)?|[\w.:-]+[.:](gen|new|create|generate)([.:]\w+)*|test|edit|open|view|search|find|grep|man|doc|docs)$/i;
/** `DeleteKeyspace`, `Manager.TerminateUser`. */
export const DESTROYS_CAMEL =
  /(^|\.)([Dd]elete|[Dd]rop|[Dd]estroy|[Tt]erminate|[Pp]urge|[Tt]runcate|[Rr]emove|Kill|[Ww]ipe|[Ee]rase)[A-Z]\w*$/;
export const DESTROYS_FLAG =
  /^--?(delete|destroy|purge|wipe|nuke|erase|drop|terminate|force-(delete|destroy|remove)|delete-(?!old-after)[\w-]+|purge-[\w-]+|drop-(if-exists|tables?|database|db|schema|all|existing)|clean-force|deleteAll\w*|uninstall|remove-(all|service|port|user|group|rule|rich-rule|interface|source|member|node|host|peer|key)|clean-?all|factory-?reset|revoke)(=(?!false)|$)/i;
export const REMOVES =
  /^(rm|rmi|rb|remove|del|rollback|reset|prune|clear|clean|cleanup|revoke|undeploy|uninstall|flush|detach|forget|gc|expunge|discard|abandon|deregister|unregister|evict|drain|down|deactivate|offboard|decommission|empty|rebuild|reinstall|reimage|close|cancel|abort|release|unmount|disconnect|unset)$/i;
export const TAKES_AWAY =
  /(^|[:_.-])(rm|remove|del|revoke|deregister|unregister|evict|deactivate|decommission|offboard|retire)$/i;
/** Said of people, keys and machines only. */
export const STRONG =
  /^(revoke|kick|deregister|unregister|decommission|deactivate|offboard|evict|expunge|(remove|unregister|drop|kill|evict)[_-](peer|node|host|member|user|server|instance|broker|replica|shard|cluster)s?|(clear|revoke|remove|reset|unset)[_-](\w*permissions?|passwords?|users?|polic(y|ies)|roles?|grants?|acls?)\w*)$/i;
/** Of no worth to anybody else. */
export const SMALL_THINGS =
  /^(alias|aliases|caches?|bookmarks?|labels?|sessions?|extensions?|plugins?|drafts?|pins?|snippets?|themes?|notes?|todos?|history|filters?|fonts?|templates?)$/i;
/** Things that developers delete daily and can recreate. */
export const OWN_THINGS =
  /^(cache|caches|logs?|config|settings?|toolchains?|targets?|components?|plugins?|extensions?|addons?|env|envs|virtualenv|packages?|pkg|deps?|dependency|dependencies|labels?|tags?|alias|aliases|themes?|templates?|snippets?|tasks?|todos?|notes?|bookmarks?|fonts?|remotes?|file|files|modules?|repos?|tools?|path|recipe|channel|version|context|profile|hook|hooks|source|sdk|font|favorite|list|item|queue|tab|pane|window|mod|formula|cask|tap|shim|history|filter|column|watch|breakpoint|include|exclude|proxy|skill|mcp|model|sessions?|bookmarks?|extension|draft|pin|collection|galaxy|local|dev|watchlist|stash|worktree|image|images|container|containers|manifest|layer|simulator|emulator|device|avd)$/i;
export const OVERWRITES =
  /^--?(overwrite|force|replace|full|clean|clobber|drop|truncate|overwrite-[\w-]+|force-[\w-]+|accept-data-loss|drop-\w+)(=(?!false)|$)/i;
/** Protection that is switched off, whatever the verb. */
export const OVERWRITES_ANYWAY =
  /^--(overwrite-(tables|database|db|all|existing|destination)|force-(non-empty|depends|removal|delete|drop|destroy|unlock|remove|overwrite|kill|stop|reset|restore|replace)[\w-]*|reset-(data|db|database|all|state|config|password)[\w-]*|wipe-[\w-]+|i-know-what-i-m?-?doing|yes-i-[\w-]+|no-preserve-\w+|really-\w+|dangerous(ly)?(-(?!skip-permissions|allow-html)[\w-]+)?)(=(?!false)|$)/i;
export const UNASKED =
  /^(-y|-f|-rf|-fr|--yes|--force|--all(-\w+)?|--recursive|--no-(confirm|prompt|input|interaction|preserve\S*)|--auto-approve|--assume-?yes|--non-?interactive|--confirm|--skip-confirm\w*|--quiet-?yes|--hard|--now)(=|$)/;
export const SECRET_WORDS =
  /(^|\s)(secrets?|credentials?|passwords?|tokens?|keys?)\s(get|show|read|view|reveal|access|export|download|print|dump|cat|copy|list-values)(\s|$)|(^|\s)(?!get-credentials)(get|show|read|reveal|export|print|dump|decrypt|copy)[-_ ](secrets?|credentials?|passwords?|(access-?|auth-?|api-?)?tokens?|private-?keys?|master-?keys?|secret-value)(\s|$)|(^|\s)auth (token|print-\S+)(\s|$)|(^|\s)(initial-password|generate-token|account export|dump-?config|get(user)?password|totp export)(\s|$)/i;
export const SECRET_FLAG =
  /^--(?!show-keys$)(show|print|reveal|with|export|dump|include|display)-(secrets?|passwords?|tokens?|keys|credentials?|private-keys?|decryption|values)(=|$)|^--?show-?secrets?(=|$)|^--(reveal|unmask|show-sensitive|dump-config)(=|$)/i;
/** A name in a store of keys: `secrets/db`. */
export const SECRET_PLACE =
  /^(?!https?:)([\w.-]*\/)*(secrets?|passwords?|credentials?|api[-_]?keys?|private[-_]?keys?)\/[\w./-]*$/i;
/** A container or machine that is given rights over its host. */
export const PRIVILEGED =
  /(^|[.,"{\s-])(privileged|hostPID|hostNetwork|hostIPC|security\.privileged|allowPrivilegeEscalation)["']?[=:]\s?"?(true|1|yes)\b/i;
/** Verbs that remove, joined to their object: `user-del`, `clear-backlog`, `setup:uninstall`. */
export const REMOVES_JOINED =
  /[:_.-](remove|rm|del|reset|clear|revoke|uninstall|rollback)$|^(clear|reset|remove|flush|prune|unload|expire|del|unset)[_-]/i;
/** Puts a copy into the place of what is there. */
export const BRINGS_BACK = /^(restore|import|load|apply|sync|push|deploy|transfer|copy|clone|pull|rebuild|reinstall)$/i;
export const DATABASE = /^(db|database|schema|migrations?|tables?)$/i;
export const DATABASE_LOST =
  /^(reset|downgrade|drop|rollback|flush|clean|clear|undo|wipe|recreate|fresh|refresh|nuke)$/i;
/** Tasks of the frameworks, with any runner. */
export const DATABASE_TASK =
  /^(db|database|migrat\w*|schema|setup|doctrine:(schema|database|migrations)|orm:schema-tool|sql)[:/-](drop|fresh|reset|wipe|down|refresh|uninstall|destroy|truncate|purge|recreate)\b|^site[:-]install$/i;
/** Precedes a thing that may be in use: `cancel instance 1`. */
export const ENDS_THING =
  /^(cancel|close|abort|rm|remove|del|reset|clear|detach|revoke|disable|unset|rebuild|reinstall|reimage|release|evict|kick|ban|disconnect|suspend|deactivate|unregister)$/i;
/** To these `restore` means to fetch what a project needs. */
export const FETCHES_PACKAGES = new Set(
  "nuget paket dotnet msbuild libman rush wally cake flatpak-builder trash tmux tmuxp resurrect".split(" "),
);
/** Names of programs that rule over machines and databases. */
export const CLUSTERS = /(ctl|adm|admin|mgr|-cli|cli)$|k8s|k\ds|kube|cluster|etcd/i;
/** Notes, lists and windows of one user. */
export const PERSONAL = new Set(
  "ansible-galaxy task todo todo.sh todoist td nb jrnl timew timetrap watson zk dnote buku khal khard calcurse zellij gibo zoxide z autojump navi cheat nap ticker".split(
    " ",
  ),
);
/** Things that a service or a cloud stores without a second copy. */
export const THINGS =
  /^(certs?|certificates?|nodes?|hosts?|users?|accounts?|clusters?|servers?|instances?|databases?|dbs?|volumes?|buckets?|networks?|namespaces?|pools?|disks?|snapshots?|backups?|projects?|orgs?|organizations?|tenants?|domains?|zones?|keys?|tokens?|members?|groups?|roles?|policies|policy|secrets?|deployments?|stacks?|environments?|topics?|streams?|indices|collections?|keyspaces?|schemas?|vms?|vault|leases?|machines?|tables?|jobs?|apps?|applications?|sites?|services?|storage)$/i;
/** Stops any kind of thing: it may be in use. */
export const ENDS =
  /^(stop|restart|shutdown|kill|killall|kill-all|stop-?all|disable|halt|poweroff|power-?off|power-?cycle|suspend|stop-\w+|restart-\w+|shutdown-\w+|stopped|restarted)$/i;
/** Verbs of unknown programs that alone may destroy something permanently, or publish something permanently. */
export const LOSES =
  /^(prune|flush|reset|rollback|roll-back|unpublish|yank|force-?push|empty-?trash|overwrite|clear-?(all|data)|reset-?(all|data|state|database|db)|transfer-?(ownership|owner)|make-?(admin|root|owner|public)|add-?(admin|ssh-?key|authorized-?key|key)|allow-?all|open-?port|disable-?(firewall|auth|security|tls|ssl|protection|mfa|2fa|audit|backups?)|rotate-?keys?)$/i;
/** Pairs of words that may destroy or publish something permanently: `migrate down`, `trash empty`, `grant admin`. */
export const LOSES_TOGETHER =
  /(^|\s)(migrat(e|ions?) (down|undo|revert|reset|fresh)|trash empty|empty trash|(db|database|schema) (rollback|undo|revert)|grant (admin|owner|root|superuser|all)|(apply|up|deploy|sync|destroy|reconcile) .*--(auto-?approve|prune|delete(-\w+)?|force-conflicts)|(volumes?|buckets?|snapshots?|backups?|databases?|projects?|instances?|clusters?|users?) (prune|gc|reap|expire|empty|clear))(\s|$)/i;
