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
 * A line through the newest values as points of an SVG polyline. The newest value is at the right edge, and what is missing on the
 * left stays empty.
 */
export function polyline(values, capacity, top, width, height) {
  const step = width / (capacity - 1);
  const from = width - (values.length - 1) * step;
  return values
    .map((value, i) => {
      const y = height - (Math.min(value, top) / top) * height;
      return `${round(from + i * step)},${round(y)}`;
    })
    .join(' ');
}

const round = (value) => Math.round(value * 10) / 10;
