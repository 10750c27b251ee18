// Projects places onto the map: Miller's cylindrical projection, cut to the inhabited latitudes.

const RADIANS = Math.PI / 180;

/** The section that the map shows, in degrees, and the map's size in its own units. */
export const FRAME = { north: 75, south: -56, width: 1000, height: 436 };

const stretch = (latitude) => 1.25 * Math.log(Math.tan(Math.PI / 4 + 0.4 * latitude * RADIANS));
const TOP = stretch(FRAME.north);
const BOTTOM = stretch(FRAME.south);

/** The point of the map at a latitude and a longitude in degrees, as [x, y]. */
export function project(latitude, longitude) {
  const y = stretch(Math.max(-89, Math.min(89, latitude)));
  return [((longitude + 180) / 360) * FRAME.width, ((TOP - y) / (TOP - BOTTOM)) * FRAME.height];
}

/** A curve between two points that bends towards the pole, as the control point of a quadratic Bezier curve. */
export function bend([x1, y1], [x2, y2], side = 1) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const lift = Math.min(90, length * 0.22) * side;
  const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
  if (length === 0) {
    return [mx, my];
  }
  // The normal that points up, so that links over an ocean do not coincide.
  const [nx, ny] = x2 >= x1 ? [(y2 - y1) / length, -(x2 - x1) / length] : [-(y2 - y1) / length, (x2 - x1) / length];
  return [mx + nx * lift, my + ny * lift];
}

/** The point of a quadratic Bezier curve at t from 0 to 1. */
export function along([x1, y1], [cx, cy], [x2, y2], t) {
  const u = 1 - t;
  return [u * u * x1 + 2 * u * t * cx + t * t * x2, u * u * y1 + 2 * u * t * cy + t * t * y2];
}
