// Where everything of the board lies: six places in a loop, the lines between them, the tokens below.

/** Left and top of each place, the loss, the lines by role, and the words beside them. */
const WIDE = {
  width: 688,
  height: 448,
  half: 72,
  tall: 68,
  unit: 48,
  places: [
    [0, 24],
    [363, 24],
    [544, 248],
    [363, 248],
    [181, 248],
    [0, 248],
  ],
  loss: [592, 72, 96, 40],
  boxes: [
    [253, 92],
    [550, 92],
  ],
  lines: [
    [
      "state",
      [
        [144, 92],
        [235, 92],
      ],
    ],
    [
      "state",
      [
        [270, 92],
        [361, 92],
      ],
    ],
    [
      "state",
      [
        [507, 92],
        [532, 92],
      ],
    ],
    [
      "state",
      [
        [567, 92],
        [590, 92],
      ],
    ],
    [
      "parameter",
      [
        [72, 248],
        [72, 194],
        [253, 194],
        [253, 110],
      ],
    ],
    [
      "parameter",
      [
        [253, 194],
        [543, 194],
        [543, 110],
      ],
    ],
    [
      "cotangent",
      [
        [662, 112],
        [662, 246],
      ],
    ],
    [
      "cotangent",
      [
        [544, 316],
        [509, 316],
      ],
    ],
    [
      "cotangent",
      [
        [557, 110],
        [557, 216],
        [484, 216],
        [484, 246],
      ],
    ],
    [
      "parameter",
      [
        [363, 316],
        [327, 316],
      ],
    ],
    [
      "parameter",
      [
        [181, 316],
        [146, 316],
      ],
    ],
  ],
  words: [
    ["through", 655, 184, "end"],
    ["direct", 550, 211, "end"],
    ["optimizer", 345, 308, "middle"],
    ["sum", 163, 308, "middle"],
  ],
  tray: { y: 432, across: 5 },
}; // prettier-ignore

const NARROW = {
  width: 320,
  height: 648,
  half: 64,
  tall: 58,
  unit: 40,
  places: [
    [0, 24],
    [192, 24],
    [192, 250],
    [192, 436],
    [0, 436],
    [0, 250],
  ],
  loss: [238, 172, 82, 42],
  boxes: [
    [160, 82],
    [212, 193],
  ],
  lines: [
    [
      "state",
      [
        [128, 82],
        [143, 82],
      ],
    ],
    [
      "state",
      [
        [176, 82],
        [190, 82],
      ],
    ],
    [
      "state",
      [
        [212, 140],
        [212, 175],
      ],
    ],
    [
      "state",
      [
        [228, 193],
        [237, 193],
      ],
    ],
    [
      "parameter",
      [
        [64, 250],
        [64, 185],
        [160, 185],
        [160, 100],
      ],
    ],
    [
      "parameter",
      [
        [160, 185],
        [196, 185],
      ],
    ],
    [
      "cotangent",
      [
        [304, 214],
        [304, 248],
      ],
    ],
    [
      "cotangent",
      [
        [304, 366],
        [304, 434],
      ],
    ],
    [
      "cotangent",
      [
        [197, 200],
        [160, 200],
        [160, 462],
        [190, 462],
      ],
    ],
    [
      "parameter",
      [
        [192, 510],
        [130, 510],
      ],
    ],
    [
      "parameter",
      [
        [114, 436],
        [114, 368],
      ],
    ],
  ],
  words: [
    ["through", 297, 412, "end"],
    ["direct", 166, 386, "start"],
    ["optimizer", 160, 502, "middle"],
    ["sum", 126, 406, "middle"],
  ],
  tray: { y: 592, across: 3 },
}; // prettier-ignore

/** Two rooms, whatever is drawn. */
export const LAYOUTS = { wide: WIDE, narrow: NARROW };

/** @param {{layout: string}} drawing @returns {typeof WIDE} */
export const roomOf = ({ layout }) => (layout === "wide" ? WIDE : NARROW);

/** A place's edges, and its middle. @param {typeof WIDE} room @param {number} i */
export function fieldOf({ places, half, tall }, i) {
  const [left, top] = places[i];
  const middle = /** @type {[number, number]} */ ([left + half, top + tall]);
  return { left, right: left + 2 * half, top, bottom: top + 2 * tall, middle };
}
