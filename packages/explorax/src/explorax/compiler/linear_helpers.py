"""JavaScript of linear systems, for ``helpers``. Matrices are changed in place."""

LINEAR_HELPERS: dict[str, str] = {
    # The lower factor of an n x n matrix at `base`; NaN all over where it has none.
    "cholesky": """\
const cholesky = (a, base, n) => {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = a[base + n * i + j];
      for (let k = 0; k < j; k++) rest -= a[base + n * i + k] * a[base + n * j + k];
      if (i === j && !(rest > 0)) return a.fill(NaN, base, base + n * n);
      a[base + n * i + j] = i === j ? Math.sqrt(rest) : rest / a[base + n * j + j];
    }
  }
};""",
    # Solves A X = B for `count` columns; x holds B and then X. Where A and X
    # are: the first place, and the steps to the next row and the next column.
    "triangular_solve": """\
const triangular_solve = (
  n, lower, unit, a, base, row, column, count, x, start, down, across,
) => {
  for (let c = 0; c < count; c++) {
    for (let step = 0; step < n; step++) {
      const i = lower ? step : n - 1 - step;
      let rest = x[start + down * i + across * c];
      for (let done = 0; done < step; done++) {
        const k = lower ? done : n - 1 - done;
        rest -= a[base + row * i + column * k] * x[start + down * k + across * c];
      }
      x[start + down * i + across * c] = unit ? rest : rest / a[base + row * i + column * i];
    }
  }
};""",
    # P A = L U with the largest pivot of each column; L, without its diagonal of ones, and U
    # take the place of A. `swaps` says which row was exchanged for each, `rows` where they went.
    "lu": """\
const lu = (a, base, m, n, swaps, first, rows, top) => {
  for (let i = 0; i < m; i++) rows[top + i] = i;
  for (let k = 0; k < Math.min(m, n); k++) {
    const at = (i, j) => base + n * i + j;
    let p = k;
    for (let i = k + 1; i < m; i++) if (Math.abs(a[at(i, k)]) > Math.abs(a[at(p, k)])) p = i;
    swaps[first + k] = p;
    [rows[top + k], rows[top + p]] = [rows[top + p], rows[top + k]];
    for (let j = 0; j < n; j++) [a[at(k, j)], a[at(p, j)]] = [a[at(p, j)], a[at(k, j)]];
    for (let i = k + 1; i < m; i++) {
      if (a[at(k, k)] !== 0) a[at(i, k)] /= a[at(k, k)];
      for (let j = k + 1; j < n; j++) a[at(i, j)] -= a[at(i, k)] * a[at(k, j)];
    }
  }
};""",
}
