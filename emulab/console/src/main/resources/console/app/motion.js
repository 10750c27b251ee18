// Light movement on the map: dots along links, rings at sites. Nothing moves for those who asked for less motion.

import { setAttribute, svg } from './dom.js';
import { dotsFor, SLOWER } from './places.js';
import { along } from './projection.js';

const MOST = 90;
const TICK = 500;
const RING = 900;

/** Whatever moves in one group of the map. */
export class Motion {
  constructor(group) {
    this.group = group;
    this.moving = [];
    this.spare = [];
    this.running = false;
    this.still = matchMedia('(prefers-reduced-motion: reduce)');
  }

  /** Dots for so many entries, spread over one tick, each as long on its way as the link takes, slowed down. */
  travel(curve, entries) {
    if (!curve || this.still.matches) {
      return;
    }
    const now = performance.now();
    const lasts = Math.max(350, curve.oneWayMillis * SLOWER);
    const dots = dotsFor(entries);
    for (let i = 0; i < dots && this.moving.length < MOST; i++) {
      this.add({ kind: 'dot', curve, from: now + (i / dots) * TICK, lasts });
    }
  }

  /** A ring that grows: a certificate arrived. */
  ring(x, y) {
    if (!this.still.matches && this.moving.length < MOST) {
      this.add({ kind: 'ring', x, y, from: performance.now(), lasts: RING });
    }
  }

  add(thing) {
    const mark = this.spare.pop() ?? svg('circle');
    setAttribute(mark, 'class', thing.kind);
    setAttribute(mark, 'opacity', 0);
    this.group.append(mark);
    this.moving.push({ ...thing, mark });
    if (!this.running) {
      this.running = true;
      requestAnimationFrame((now) => this.frame(now));
    }
  }

  frame(now) {
    this.moving = this.moving.filter((thing) => {
      const part = (now - thing.from) / thing.lasts;
      if (part >= 1) {
        thing.mark.remove();
        this.spare.push(thing.mark);
        return false;
      }
      if (part >= 0) {
        draw(thing, part);
      }
      return true;
    });
    this.running = this.moving.length > 0;
    if (this.running) {
      requestAnimationFrame((next) => this.frame(next));
    }
  }
}

function draw({ kind, mark, curve, x, y }, part) {
  const [cx, cy] = kind === 'dot' ? along(curve.a, curve.control, curve.b, part) : [x, y];
  mark.setAttribute('cx', cx.toFixed(1));
  mark.setAttribute('cy', cy.toFixed(1));
  mark.setAttribute('r', kind === 'dot' ? '2.6' : (14 + 22 * part).toFixed(1));
  mark.setAttribute('opacity', (kind === 'dot' ? Math.min(1, 8 * part, 8 * (1 - part)) : 0.8 * (1 - part)).toFixed(2));
}
