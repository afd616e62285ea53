/**
 * Caches a value derived from an immutable object, by object and key. Every request resends the conversation, and its
 * earlier messages stay the same objects.
 */
export function onceForEach<Key extends object, Value>(
  make: (key: Key, provider: string) => Value,
): (key: Key, provider: string) => Value {
  const made = new Map<string, WeakMap<Key, Value>>();
  return (key, provider) => {
    let ofProvider = made.get(provider);
    if (ofProvider === undefined) made.set(provider, (ofProvider = new WeakMap()));
    let value = ofProvider.get(key);
    if (value === undefined) ofProvider.set(key, (value = make(key, provider)));
    return value;
  };
}
