/** Changes the items of a list, and keeps the list itself if none of them changes. */
export function mapSame<List extends readonly unknown[]>(
  items: List,
  change: (item: List[number], at: number) => List[number],
): List | List[number][] {
  const changed = items.map(change);
  return changed.every((item, at) => item === items[at]) ? items : changed;
}
