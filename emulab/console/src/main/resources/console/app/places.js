// Where sites are drawn. Pure.

import { bend, FRAME, project } from './projection.js';

/** The factor by which motion on the map is slower than the delay that it represents. */
export const SLOWER = 8;

/**
 * The sites with `x` and `y` on the map and `earth`, which says whether they have places on the earth. If one of them has none, all
 * are put on an ellipse.
 */
export function placed(sites) {
  const earth = sites.length > 0 && sites.every((site) => site.latitude !== null && site.longitude !== null);
  return sites.map((site, i) => {
    const [x, y] = earth ? project(site.latitude, site.longitude) : onEllipse(i, sites.length);
    return { ...site, x, y, earth };
  });
}

/** The side of a site on which its name fits: left at the right edge, below if another site is close on the right, otherwise right. */
export function sideOf(site, sites) {
  if (site.x > FRAME.width * 0.72) {
    return 'left';
  }
  const near = sites.some((other) => other !== site && other.x > site.x && other.x - site.x < 200 && Math.abs(other.y - site.y) < 45);
  return near ? 'below' : 'right';
}

function onEllipse(i, of) {
  const angle = (2 * Math.PI * i) / of - Math.PI / 2;
  return [FRAME.width / 2 + 330 * Math.cos(angle), FRAME.height / 2 + 150 * Math.sin(angle)];
}

/** The links between placed sites, each with its curve: `a`, `control`, `b` and the point `label` for its delay. */
export function curves(links, sites) {
  const at = new Map(sites.map((site) => [site.name, [site.x, site.y]]));
  return links
    .filter((link) => link.from !== link.to && at.has(link.from) && at.has(link.to))
    .map((link) => {
      const a = at.get(link.from);
      const b = at.get(link.to);
      const control = bend(a, b);
      const label = [(a[0] + 2 * control[0] + b[0]) / 4, (a[1] + 2 * control[1] + b[1]) / 4];
      return { ...link, a, b, control, label };
    });
}

/** The group of a partition that a site is in, or null if it reaches all sites. */
const groupOf = (groups, site) => groups?.find((group) => group.includes(site)) ?? null;

/** Whether a partition lies between two sites. */
export function isCut(groups, from, to) {
  const [a, b] = [groupOf(groups, from), groupOf(groups, to)];
  return a !== null && b !== null && a !== b;
}

/** The groups of a partition that separates one site from all others. */
export function apart(sites, site) {
  return [[site], sites.filter((other) => other.name !== site).map((other) => other.name)];
}

/** The number of dots for a number of entries: few enough to see, and zero only for zero. */
export function dotsFor(entries) {
  return Math.min(4, Math.ceil(entries / 8));
}
