/**
 * Let Node find what views import where the engine is a folder of the repository: `explorax/view`, and the
 * packages that the engine has installed.
 *
 *     node --import PATH/resolve.mjs --test
 */

import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (missing) {
      if (/^[./]|^\w+:/.test(specifier)) throw missing;
      return next(specifier, { ...context, parentURL: import.meta.url });
    }
  },
});
