// Dense fields as images: shades as a bitmap, coloured by the page through a mask.

import { html } from "../../common/html.js";

/**
 * A picture in 256 shades of grey as the address of a bitmap.
 * @param {ArrayLike<number>} shades 0 to 1, row-major, the first row at the bottom
 * @param {number} height rows @param {number} width columns
 */
export function bitmap(shades, height, width) {
  const stride = Math.ceil(width / 4) * 4;
  const start = 54 + 1024;
  const bytes = new Uint8Array(start + stride * height);
  const view = new DataView(bytes.buffer);
  // size of the file and start of the pixels; size of the header, width, height (above 0: from the
  // bottom up), one plane of 8 bits, 256 colours
  const header = { 2: bytes.length, 10: start, 14: 40, 18: width, 22: height, 26: 1 + 8 * 2 ** 16, 46: 256 };
  view.setUint16(0, 0x424d);
  for (const [at, value] of Object.entries(header)) view.setInt32(Number(at), value, true);
  for (let i = 0; i < 256; i++) bytes.fill(i, 54 + 4 * i, 57 + 4 * i);
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const shade = shades[r * width + c];
      bytes[start + r * stride + c] = shade > 0 ? Math.min(255, Math.round(shade * 255)) : 0;
    }
  }
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `data:image/bmp;base64,${btoa(text)}`;
}

/**
 * A role's colour, as strong as an image says.
 * @param {{id: string, role: string, href: string, box: {left: number, right: number, top: number, bottom: number}, sharp?: boolean, strength?: number}} properties
 */
export function Shade({ id, role, href, box, sharp = false, strength = 1 }) {
  const { left: x, top: y } = box;
  const place = { x, y, width: box.right - x, height: box.bottom - y };
  return html`
    <mask id=${id} maskUnits="userSpaceOnUse" ...${place} style="mask-type:luminance">
      <image href=${href} ...${place} preserveAspectRatio="none" style=${sharp ? "image-rendering:pixelated" : ""} />
    </mask>
    <rect class=${`gl-shade gl-role-${role}`} ...${place} mask=${`url(#${id})`} fill-opacity=${strength} />`;
}
