// Motion on the map: dots along links, rings at sites. Nothing moves if the user asked for less motion.

import { setAttribute, svg } from './dom.js';
import { dotsFor, SLOWER } from './places.js';
import { along } from './projection.js';

const MOST = 90;
const TICK = 500;
const RING = 900;
const CALL = 600;

/** The moving marks in one group of the map. */
export class Motion {
  constructor(group) {
    this.group = group;
    this.moving = [];
    this.spare = [];
    this.running = false;
    this.still = matchMedia('(prefers-reduced-motion: reduce)');
  }

  /** Adds dots for the given number of entries, spread over one tick; each takes as long as the link does, slowed down. */
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

  /** Adds a growing ring for a certificate that arrived. */
  ring(x, y) {
    if (!this.still.matches && this.moving.length < MOST) {
      this.add({ kind: 'ring', x, y, from: performance.now(), lasts: RING });
    }
  }

  /** Adds a client's call that moves towards its server; `number` decides the direction. */
  call(x, y, number, kind) {
    if (!this.still.matches && this.moving.length < MOST) {
      const from = performance.now() + Math.random() * TICK;
      this.add({ kind: `call ${kind}`, x, y, angle: number * 2.4, from, lasts: CALL });
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

function draw(thing, part) {
  const { mark } = thing;
  const [cx, cy] = position(thing, part);
  const ring = thing.kind === 'ring';
  mark.setAttribute('cx', cx.toFixed(1));
  mark.setAttribute('cy', cy.toFixed(1));
  mark.setAttribute('r', ring ? (14 + 22 * part).toFixed(1) : thing.kind === 'dot' ? '2.6' : '1.8');
  mark.setAttribute('opacity', (ring ? 0.8 * (1 - part) : Math.min(1, 8 * part, 8 * (1 - part))).toFixed(2));
}

function position({ kind, curve, x, y, angle }, part) {
  if (kind === 'dot') {
    return along(curve.a, curve.control, curve.b, part);
  }
  const away = kind === 'ring' ? 0 : 42 - 28 * part;
  return [x + away * Math.cos(angle ?? 0), y + away * Math.sin(angle ?? 0)];
}
