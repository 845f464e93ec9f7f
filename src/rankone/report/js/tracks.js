// Coloured bars beside the clusters: how certain labels are, scores, and what else is known of rows.

import { grey } from "./colours.js";
import { NOTHING } from "./data.js";
import { percent, short, shown, svg } from "./dom.js";
import { isRows, rectangle } from "./geometry.js";

/** Numbers of each unit: means of its members. */
class NumberTrack {
  constructor(name, side, values) {
    Object.assign(this, { name, side, values });
    this.units = Float64Array.from({ length: side.nUnits }, (_, unit) => {
      const known = Array.from(side.membersOfUnit(unit), (i) => values[i]).filter((x) => !Number.isNaN(x));
      return known.length ? known.reduce((sum, x) => sum + x, 0) / known.length : NaN;
    });
    const known = this.units.filter((x) => !Number.isNaN(x));
    this.range = known.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  }

  colour(unit, dark) {
    const [low, high] = this.range, value = this.units[unit];
    return Number.isNaN(value) ? null : grey(high > low ? (value - low) / (high - low) : 0.5, dark);
  }

  text(unit) { return `${this.name} ${shown(this.units[unit])}`; }
}

/** How certain the labels are at the current number of clusters. */
class ConfidenceTrack {
  constructor(side) { Object.assign(this, { name: "confidence", side }); }

  colour(unit, dark) { return this.side.confidence ? grey(0.4, dark) : null; }

  /** Return the share of the track that is filled: doubtful rows are notches. */
  length(unit) { return this.side.meanConfidence(unit, unit + 1); }

  text(unit) {
    const share = this.side.meanConfidence(unit, unit + 1);
    return share === null ? null : `confidence ${percent(share)}`;
  }
}

/** Classes of rows: the most frequent one of each unit. */
class ClassTrack {
  constructor({ name, classes, colours }, side, values) {
    Object.assign(this, { name, side, values, classes, numbers: colours });
    const counts = new Uint32Array(classes.length);
    this.units = Array.from({ length: side.nUnits }, (_, unit) => {
      counts.fill(0);
      let best = NOTHING;
      for (const i of side.membersOfUnit(unit)) {
        const code = values[i];
        if (code !== NOTHING && (++counts[code] > (best === NOTHING ? 0 : counts[best]))) best = code;
      }
      return best;
    });
  }

  colourOf(code) { return this.side.palette[this.numbers[code] % this.side.palette.length]; }

  colour(unit) { return this.units[unit] === NOTHING ? null : this.colourOf(this.units[unit]); }

  text(unit) {
    const code = this.units[unit];
    return `${short(this.name, 24)} ${code === NOTHING ? "unknown" : short(this.classes[code])}`;
  }

  /** Return how well classes and clusters agree: NMI and ARI, over rows whose class is known. */
  agreement() { return agreement(this.side, this.values, this.classes.length); }
}

/** Return the tracks of a side. */
export function tracksOf(side) {
  const tracks = side.tracks.map((track, i) => {
    const values = side.values[`track-${i}`];
    return track.classes ? new ClassTrack(track, side, values) : new NumberTrack(track.name, side, values);
  });
  if (side.scores) tracks.unshift(new NumberTrack("score", side, side.scores));
  if (side.values[`confidence-${side.chosen}`]) tracks.unshift(new ConfidenceTrack(side));
  return tracks;
}

/** Return the normalised mutual information and the adjusted Rand index of clusters and classes. */
export function agreement(side, codes, nClasses) {
  const table = new Float64Array(side.k * nClasses);
  let n = 0;
  codes.forEach((code, i) => { if (code !== NOTHING) { table[side.labelOf(i) * nClasses + code]++; n++; } });
  const rows = new Float64Array(side.k), columns = new Float64Array(nClasses);
  table.forEach((x, at) => { rows[Math.floor(at / nClasses)] += x; columns[at % nClasses] += x; });
  const sum = (array, f) => array.reduce((total, x) => total + f(x), 0);
  const pairs = (x) => (x * (x - 1)) / 2, entropy = (x) => (x ? -(x / n) * Math.log(x / n) : 0);
  const together = sum(table, pairs), inRows = sum(rows, pairs), inColumns = sum(columns, pairs);
  const chance = n > 1 ? (inRows * inColumns) / pairs(n) : 0, most = (inRows + inColumns) / 2;
  const ari = most === chance ? 1 : (together - chance) / (most - chance);
  const [a, b] = [sum(rows, entropy), sum(columns, entropy)], shared = a + b - sum(table, entropy);
  return { ari, nmi: a + b ? Math.max(0, (2 * shared) / (a + b)) : 1 };
}

/** Paint the tracks of a side. */
export function paintTracks(context, tracks, axis, stretches, dark) {
  const bins = axis.bins(Math.max(1, Math.round(axis.length)));
  tracks.forEach((track, t) => {
    for (const { from, start, end } of bins) {
      const colour = track.colour(from, dark);
      if (colour === null) continue;
      const [near, far] = stretches[t], length = track.length ? track.length(from) : 1;
      const stretch = [far - length * (far - near), far];
      const { x, y, width, height } = rectangle(axis.side, [axis.start + start, axis.start + end], stretch);
      context.fillStyle = colour;
      context.fillRect(x, y, width, height);
    }
  });
}

/** Write the names of tracks into the corner. */
export function drawTrackNames(parent, tracks, side, axis, stretches) {
  tracks.forEach((track, t) => {
    const [near, far] = stretches[t], middle = (near + far) / 2, start = axis.start - 5;
    const text = short(track.name, 14);
    if (isRows(side)) {
      svg("text", parent, { transform: `translate(${middle + 3} ${start}) rotate(-90)`, class: "track-name" }, text);
    } else {
      svg("text", parent, { x: axis.end + 5, y: middle + 3, class: "track-name" }, text);
    }
  });
}
