// Colours of entries, in light and in dark, and of texts on them.

import { clamp } from "./dom.js";

/** Colours from low to high. The middle, and what is low of one sign, are as quiet as the page. */
const MAPS = {
  light: {
    oneSign: [[246, 248, 250], [189, 214, 236], [98, 163, 209], [33, 104, 168], [9, 44, 98]],
    twoSigns: [[5, 48, 97], [67, 147, 195], [247, 247, 247], [214, 96, 77], [103, 0, 31]],
    page: [255, 255, 255],
  },
  dark: {
    oneSign: [[30, 35, 41], [29, 67, 102], [46, 124, 178], [124, 190, 232], [240, 250, 255]],
    twoSigns: [[140, 205, 255], [45, 116, 178], [36, 41, 47], [190, 88, 62], [255, 190, 160]],
    page: [21, 24, 27],
  },
};

/** How far colours of missing entries are mixed with the page. */
const PALE = 0.62;

const SHADES = 256;

const mixed = (a, b, share) => a.map((x, i) => Math.round(x + share * (b[i] - x)));

/** A scale of colours: `full` for observed entries, `pale` for missing ones, as pixels and texts. */
export class Shades {
  constructor(twoSigns, dark) {
    const map = MAPS[dark ? "dark" : "light"], anchors = twoSigns ? map.twoSigns : map.oneSign;
    this.rgb = Array.from({ length: SHADES }, (_, i) => {
      const at = (i / (SHADES - 1)) * (anchors.length - 1), k = Math.min(Math.floor(at), anchors.length - 2);
      return mixed(anchors[k], anchors[k + 1], at - k);
    });
    this.page = pixel(map.page);
    this.full = Uint32Array.from(this.rgb, pixel);
    this.pale = Uint32Array.from(this.rgb, (colour) => pixel(mixed(colour, map.page, PALE)));
  }

  /** Return the index of the shade at a share from 0 to 1. */
  at(share) { return clamp(Math.round(share * (SHADES - 1)), 0, SHADES - 1); }

  css(share) { return `rgb(${this.rgb[this.at(share)].join(",")})`; }
}

/** Return a colour as a pixel of an image. */
function pixel([r, g, b]) { return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0; }

/** Return the relative luminance of a colour, 0 to 1, as defined by WCAG. */
function luminance(channels) {
  const [r, g, b] = channels.map((x) => (x <= 10 ? x / 3295 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return black or white, whichever can be read on a colour. */
export function inkOn(colour) {
  const channels = typeof colour === "string"
    ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
    : colour;
  return luminance(channels) > 0.179 ? "#000" : "#fff";
}

/** A grey for a share from 0 to 1, from quiet to strong. */
export function grey(share, dark) {
  const [from, to] = dark ? [52, 225] : [232, 40], level = Math.round(from + share * (to - from));
  return `rgb(${level},${level},${level})`;
}
