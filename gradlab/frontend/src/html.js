// The renderer: Preact's elements, written as tagged templates.

import htm from "htm";
import { h } from "preact";

export const html = htm.bind(h);
