// Formats figures and names. Pure.

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const ONE_DIGIT = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** "-" where there is no figure, so that "0" always means 0. */
export const NONE = '–';

const absent = (value) => value === null || value === undefined || Number.isNaN(value);

/** 12345 as "12,345". */
export function count(value) {
  return absent(value) ? NONE : NUMBER.format(value);
}

/** A count in at most four signs: "999", "12.3k", "4.5M". */
export function short(value) {
  if (absent(value)) {
    return NONE;
  }
  const size = Math.abs(value);
  if (size < 1000) {
    return NUMBER.format(value);
  }
  const [divisor, unit] = size < 999_500 ? [1e3, 'k'] : size < 999_500_000 ? [1e6, 'M'] : [1e9, 'G'];
  const part = value / divisor;
  return (Math.abs(part) < 99.95 ? ONE_DIGIT.format(part) : NUMBER.format(part)) + unit;
}

/** A rate per second. */
export function rate(value) {
  return absent(value) ? NONE : `${value < 10 ? ONE_DIGIT.format(value) : NUMBER.format(value)}/s`;
}

/** Milliseconds as "0.4 ms", "72 ms", "1.25 s", "2 min 5 s". */
export function millis(value) {
  if (absent(value)) {
    return NONE;
  }
  if (value < 10 && !Number.isInteger(value)) {
    return `${ONE_DIGIT.format(value)} ms`;
  }
  if (value < 1000) {
    return `${NUMBER.format(value)} ms`;
  }
  if (value < 59_950) {
    return `${(value / 1000).toFixed(value < 9_995 ? 2 : 1)} s`;
  }
  const seconds = Math.round(value / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A share from 0 to 1 as "12 %". */
export function percent(value) {
  return absent(value) ? NONE : `${NUMBER.format(value * 100)} %`;
}

/** A τ; null is unbounded. */
export function tau(value) {
  return value === null ? 'unbounded' : NUMBER.format(value);
}

/** "1 client", "2 clients". */
export function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** "FORKED_ENTRIES" as "forked entries". */
export function words(name) {
  return String(name).replaceAll('_', ' ').replaceAll('-', ' ').toLowerCase();
}

/** The beginning of a hash. */
export function hash(text, length = 12) {
  return !text ? NONE : text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** Bytes as "812 bytes" or "12.3 KiB". */
export function bytes(value) {
  return absent(value) ? NONE : value < 1024 ? counted(value, 'byte') : `${ONE_DIGIT.format(value / 1024)} KiB`;
}
