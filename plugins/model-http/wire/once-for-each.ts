/**
 * Remembers what was made of an object that never changes, and for whom. A conversation is sent again with every request, and what was said
 * before stays the same objects.
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
