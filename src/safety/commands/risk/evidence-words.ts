/** The vocabulary in which programs that no table has say what they do. */

/** First or last part of a verb, at any place where a verb may be: what it names is gone or in another state. */
export const LOSES = words(
  `abandon annihilate brick burn clobber deauthenticate deauthorize deinit deleteall demote deprovision detach
    disassociate disown dissolve down eradicate erase evacuate evict expire expunge factory fail fence flash inject
    invalidate kick logout neutralize obliterate offline poison powercycle powerdown quarantine quiesce reclaim reflash
    reinit reinitialise reinitialize repartition rescind resign rmdir rmtree sanitize scrub shred shrink stonith
    switchover takedown takeover tombstone unassign unattach unbind unenroll unexport unjoin unload unlock unmap
    unmount unpair unplug unprovision unpublish unregister unseal unset untrust vacate wipe withdraw yank zap zero
    zeroize`,
);
/** First part of a verb that is joined to its thing: `rm-cluster`, `reset-offsets`. Alone they are too common. */
export const LOSES_JOINED = words(
  `cancel clear cut deactivate del destroy detach disable drop eject empty erase evict expire expunge fail flush force
    format kill lock overwrite power purge reboot reformat reinit release remove reset restart restore revert revoke
    rm rollback shutdown stop suspend terminate trim truncate unbind undo uninstall unlink unload unlock unmap unpair
    unregister unset wipe zap`,
);
/** Verbs that are ordinary for a name alone (`remove pkg`), and not for anything else. */
export const REMOVES = words("remove rm del delete uninstall unlink forget trash discard unsubscribe drop expire");
/** The words behind these are what is looked for, made or said. */
export const READS = words(
  `get list ls show info status query search find grep help man describe inspect view cat print read history log logs
    stats version display dump export check verify validate test lint diff scan identify inquiry probe discover
    monitor watch tail top count whoami explain doc docs which locate echo say preview plan dryrun complete completion
    generate create new init add tag note edit open`,
);
/** These need no object. */
export const CLEAR = words(
  "annihilate obliterate deinit demote down erase expire quiesce reflash resign switchover takeover wipe zap",
);
/** Behind a noun: `instance cancel 12`. */
export const OF_NOUN = words(
  "ban cancel decommission disconnect discard fail kick leave offline release retire secondary suspend terminate",
);
export const LOSES_LAST = words(
  "shutdown reboot restart poweroff terminate remove rm del delete off reset revoke kill stop disable cancel unlock unbind",
);

/** Names of programs that look: `i2cget`. */
export const LOOKS = /read|get|detect|print|list|quote|random|info|dump|show|verify|check/;

/** `rm-cluster`, `DeleteNode`: the words that a word is made of. */
export function partsOf(word: string): readonly string[] {
  return word
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
