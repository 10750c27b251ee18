// Makes app/land.js from Natural Earth's outline of the land (public domain), as TopoJSON with one object "land":
//   node make-land.mjs land-110m.json > ../../main/resources/console/app/land.js
import { readFileSync } from 'node:fs';
import { FRAME, project } from '../../main/resources/console/app/projection.js';

const topology = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const [kx, ky] = topology.transform.scale;
const [tx, ty] = topology.transform.translate;

/** The points of an arc in degrees; arcs are stored as differences, and ~i means arc i backwards. */
function arc(index) {
  let x = 0;
  let y = 0;
  const points = topology.arcs[index < 0 ? ~index : index].map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * kx + tx, y * ky + ty];
  });
  return index < 0 ? points.reverse() : points;
}

const ring = (arcs) => arcs.flatMap((index, i) => (i === 0 ? arc(index) : arc(index).slice(1)));

/** A ring without jumps at the date line; if it crosses it, twice, once for each edge of the map. */
function unrolled(points) {
  let turns = 0;
  const line = points.map(([lon, lat], i) => {
    const step = i === 0 ? 0 : lon - points[i - 1][0];
    turns += step > 180 ? -360 : step < -180 ? 360 : 0;
    return [lon + turns, lat];
  });
  const beyond = line.some(([lon]) => lon > 180) ? -360 : line.some(([lon]) => lon < -180) ? 360 : 0;
  return beyond === 0 ? [line] : [line, line.map(([lon, lat]) => [lon + beyond, lat])];
}

/** Douglas and Peucker: leaves out points that are nearer than `bound` to the line. */
function simplified(points, bound) {
  if (points.length < 3) {
    return points;
  }
  const [ax, ay] = points[0];
  const [bx, by] = points[points.length - 1];
  const length = Math.hypot(bx - ax, by - ay);
  let far = 0;
  let most = -1;
  points.slice(1, -1).forEach(([x, y], i) => {
    const off = length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
    if (off > most) {
      most = off;
      far = i + 1;
    }
  });
  if (most <= bound) {
    return [points[0], points[points.length - 1]];
  }
  return [...simplified(points.slice(0, far + 1), bound), ...simplified(points.slice(far), bound).slice(1)];
}

const area = (points) =>
  Math.abs(points.reduce((sum, [x, y], i) => sum + x * points[(i + 1) % points.length][1] - points[(i + 1) % points.length][0] * y, 0) / 2);

const round = (v) => Math.round(v * 10) / 10;

const path = topology.objects.land.geometries
  .flatMap((g) => (g.type === 'Polygon' ? [g.arcs] : g.arcs))
  .flatMap((polygon) => polygon.map(ring).flatMap(unrolled))
  .filter((points) => points.some(([, lat]) => lat > FRAME.south && lat < FRAME.north) && points.every(([, lat]) => lat > -70))
  .map((points) => simplified(points.map(([lon, lat]) => project(lat, lon)), 0.7))
  .filter((points) => points.length > 3 && area(points) > 6)
  .map((points) => {
    let [px, py] = points[0].map(round);
    const rest = points.slice(1, -1).map(([x, y]) => {
      const dx = round(round(x) - px);
      const dy = round(round(y) - py);
      px = round(px + dx);
      py = round(py + dy);
      return `${dx},${dy}`;
    });
    return `M${points[0].map(round).join(',')}l${rest.join(' ')}z`;
  })
  .join('');

const lines = path.match(/.{1,150}(?:[ z]|$)|.{1,150}/g).map((line) => `  '${line}'`);
process.stdout.write(`// Outline of the land, made by src/test/page/make-land.mjs from Natural Earth 1:110m, which is in the public domain.
/** A path in the coordinates of projection.js. */
export const LAND = [
${lines.join(',\n')},
].join('');
`);
