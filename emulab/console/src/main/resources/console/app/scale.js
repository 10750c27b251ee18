// Scales: positions of the τ slider, heights of lines. Pure.

/** The steps of a τ slider; the last is null, which is unbounded. */
export const TAUS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10000, null];

/** The position on the slider that is nearest to a τ. */
export function positionOf(tau) {
  if (tau === null || tau === undefined) {
    return TAUS.length - 1;
  }
  let best = 0;
  for (let i = 0; i < TAUS.length - 1; i++) {
    if (Math.abs(Math.log(TAUS[i] / tau)) < Math.abs(Math.log(TAUS[best] / tau))) {
      best = i;
    }
  }
  return best;
}

/** The τ at a position of the slider; positions beyond the ends are the ends. */
export function tauAt(position) {
  return TAUS[Math.max(0, Math.min(TAUS.length - 1, Math.round(position)))];
}

/** The least round number (1, 2, 5 times a power of ten) that is not below `value`; at least `least`. */
export function roundUp(value, least = 1) {
  const wanted = Math.max(value, least);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= wanted - power * 1e-9);
}

/**
 * The top of a scale that changes rarely: it grows when a value does not fit, and shrinks only when a fifth of it would suffice.
 */
export function steadyTop(before, values, least) {
  const wanted = roundUp(Math.max(...values.filter((value) => value !== null), 0), least);
  return wanted > before || wanted * 5 <= before ? wanted : before;
}

/**
 * The newest values as points, in pieces between the values that are missing (null). The newest value is at the right edge, and what is
 * missing on the left stays empty.
 */
function pieces(values, capacity, top, width, height) {
  const step = width / (capacity - 1);
  const from = width - (values.length - 1) * step;
  const all = [[]];
  values.forEach((value, i) => {
    if (value === null) {
      all.push([]);
    } else {
      all.at(-1).push(`${round(from + i * step)},${round(height - (Math.min(value, top) / top) * height)}`);
    }
  });
  return all.filter((piece) => piece.length > 0);
}

/** A line through the newest values, as the `d` of an SVG path; it has a gap where values are null. */
export function line(values, capacity, top, width, height) {
  return pieces(values, capacity, top, width, height)
    .map((piece) => `M${piece.join('L')}${piece.length === 1 ? 'h0' : ''}`)
    .join('');
}

/** The area below that line, as the `d` of an SVG path. */
export function area(values, capacity, top, width, height) {
  return pieces(values, capacity, top, width, height)
    .map((piece) => `M${piece[0].split(',')[0]},${height}L${piece.join('L')}L${piece.at(-1).split(',')[0]},${height}z`)
    .join('');
}

const round = (value) => Math.round(value * 10) / 10;
