/** The rule for hosts of docs/vectors/texts.json, as every part of the system has it. */
const MOST_CHARACTERS = 253;
const GROUPS = 8;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

const isV4 = (host) => /^(?:(?:0|[1-9][0-9]{0,2})(?:\.(?!$)|$)){4}$/.test(host) && host.split('.').every((number) => number <= 255);

/** How many groups of 16 bits a part of an IPv6 address has; an IPv4 address at its end is two. NaN when it is none. */
function groups(part, mayEndInV4) {
  if (part === '') return 0;
  return part.split(':').reduce((count, group, i, { length }) => {
    if (/^[0-9A-Fa-f]{1,4}$/.test(group)) return count + 1;
    return mayEndInV4 && i === length - 1 && isV4(group) ? count + 2 : NaN;
  }, 0);
}

function isV6(host) {
  const gap = host.indexOf('::');
  if (gap < 0) return groups(host, true) === GROUPS;
  return groups(host.slice(0, gap), false) + groups(host.slice(gap + 2), true) < GROUPS;
}

/** Why a text is no host, in a word of docs/vectors/texts.json; null when it is one. */
export function wrongHost(host) {
  if (typeof host !== 'string') return 'not-text';
  if (host === '') return 'empty';
  if (/[^A-Za-z0-9.:%[\]-]/.test(host)) return 'bad-character';
  if (/[:[\]]/.test(host)) return isV6(host) ? null : 'bad-address';
  if (host.includes('%')) return 'bad-character';
  if (host.length > MOST_CHARACTERS) return 'too-long';
  const labels = host.split('.');
  const last = labels[labels.length - 1];
  if (/^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/.test(last)) return isV4(host) ? null : 'bad-address';
  if (!labels.every((label) => LABEL.test(label))) return 'bad-label';
  return labels.length > 1 && /^[0-9]/.test(last) ? 'bad-address' : null;
}
