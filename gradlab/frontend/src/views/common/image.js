// Dense fields as images: shades as a bitmap, coloured by the page through a mask.

import { html } from "../../common/html.js";

const BASE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes as base64, in browsers as in Node. @param {Uint8Array} bytes */
export function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const three = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += BASE[three >> 18] + BASE[(three >> 12) & 63];
    text += i + 1 < bytes.length ? BASE[(three >> 6) & 63] : "=";
    text += i + 2 < bytes.length ? BASE[three & 63] : "=";
  }
  return text;
}

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
  view.setUint16(0, 0x424d);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, start, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true); // above 0: from the bottom up
  view.setUint16(26, 1, true);
  view.setUint16(28, 8, true);
  view.setUint32(46, 256, true);
  for (let i = 0; i < 256; i++) bytes.fill(i, 54 + 4 * i, 57 + 4 * i);
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const shade = shades[r * width + c];
      bytes[start + r * stride + c] = shade > 0 ? Math.min(255, Math.round(shade * 255)) : 0;
    }
  }
  return `data:image/bmp;base64,${base64(bytes)}`;
}

/**
 * A role's colour, as strong as an image says.
 * @param {{id: string, role: string, href: string, box: {left: number, right: number, top: number, bottom: number}, sharp?: boolean, strength?: number}} properties
 */
export function Shade({ id, role, href, box, sharp = false, strength = 1 }) {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  return html`
    <mask id=${id} maskUnits="userSpaceOnUse" x=${box.left} y=${box.top} width=${width} height=${height} style="mask-type:luminance">
      <image href=${href} x=${box.left} y=${box.top} width=${width} height=${height} preserveAspectRatio="none"
        style=${sharp ? "image-rendering:pixelated" : ""} />
    </mask>
    <rect class=${`gl-shade gl-role-${role}`} x=${box.left} y=${box.top} width=${width} height=${height}
      mask=${`url(#${id})`} fill-opacity=${strength} />`;
}
