"""JavaScript of sorting and running sums, for ``helpers``."""

ORDER_HELPERS: dict[str, str] = {
    # The places 0 .. count-1 along an axis, in the order of what the keys hold there: NaN last,
    # equal ones as they came.
    "sort_order": """\
const sort_order = (order, count, base, stride, ...keys) => {
  for (let i = 0; i < count; i++) order[i] = i;
  order.subarray(0, count).sort((i, j) => {
    for (const key of keys) {
      const [a, b] = [key[base + stride * i], key[base + stride * j]];
      if (a > b || (a !== a && b === b)) return 1;
      if (a < b || (a === a && b !== b)) return -1;
    }
    return i - j;
  });
};""",
    # The same from the greatest to the least, with NaN first and 0 before -0.
    "top_order": """\
const top_order = (order, count, base, stride, key) => {
  for (let i = 0; i < count; i++) order[i] = i;
  order.subarray(0, count).sort((i, j) => {
    const [a, b] = [key[base + stride * i], key[base + stride * j]];
    return before(b, a) ? -1 : before(a, b) ? 1 : i - j;
  });
};""",
    "logaddexp": """\
const logaddexp = (a, b) =>
  a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));""",
}
