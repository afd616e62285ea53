/**
 * The fields that are not `undefined`, for objects whose keys are counted, listed or spread over others: there, `{ a:
 * undefined }` is not `{}`.
 */
export function definedFields<const T extends object>(fields: T): DefinedFields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>;
}

type DefinedFields<T> = { -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
