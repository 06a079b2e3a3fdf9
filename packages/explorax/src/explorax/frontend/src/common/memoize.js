// What was made last, kept for as long as what it is made from is the same.

import { h, isValidElement } from "preact";

/** @type {WeakMap<object, Map<string, {key: any[], made: any}>>} */
const remembered = new WeakMap();

/** @type {(value: any) => boolean} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** Tell if two keys are the same, numbers and words in lists compared one by one. @param {any} a @param {any} b */
function alike(a, b) {
  if (Object.is(a, b)) return true;
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!alike(a[i], b[i])) return false;
  return true;
}

/**
 * Return what was made last under a name, or else what is made now. It is forgotten with its owner.
 * @template Made
 * @param {object} owner what it belongs to: a spec, a description, a set of values
 * @param {string} name
 * @param {any[]} key everything else that it is made from
 * @param {() => Made} make
 * @returns {Made}
 */
export function memoize(owner, name, key, make) {
  let all = remembered.get(owner);
  if (!all) {
    all = new Map();
    remembered.set(owner, all);
  }
  const last = all.get(name);
  if (last && alike(last.key, key)) return last.made;
  const made = make();
  all.set(name, { key, made });
  return made;
}

/** What was made, as a component: Preact passes over one that is the same object, and would look at each element. @param {{made: any}} properties */
const Kept = ({ made }) => made;

/**
 * The same for elements of a drawing: they're not looked at again while they are the same.
 * @template Made
 * @param {{description: object, id: string}} drawing
 * @param {string} name
 * @param {any[]} key everything that it is drawn from
 * @param {() => Made} make
 * @returns {any}
 */
export const memoizeDrawn = ({ description, id }, name, key, make) =>
  memoize(description, `${id} ${name}`, key, () => {
    const made = make();
    const drawn = [made].flat(9).find((one) => isValidElement(one));
    return drawn ? h(Kept, { made, key: Array.isArray(made) ? undefined : drawn.key }) : made;
  });
