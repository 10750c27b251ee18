/**
 * JSON (RFC 8259) as a descriptor has it: no name twice in an object, numbers without fraction or exponent, nothing behind the
 * text. JSON.parse is more lenient. Objects come back as Maps.
 */

/** The text is no JSON of this kind. */
export class BadJson extends Error {}

const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9][0-9]*)/y;
// eslint-disable-next-line no-control-regex
const STRING = /"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y;
const SPACE = /[ \t\n\r]*/y;

/** Reads a text to its end. Throws BadJson. */
export function parseStrictJson(text) {
  const parser = new Parser(text);
  const value = parser.value(0);
  if (parser.at < text.length) throw new BadJson('something stands behind the JSON text');
  return value;
}

class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  space() {
    this.match(SPACE);
  }

  take(character) {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  value(depth) {
    if (depth > MAX_DEPTH) throw new BadJson('nested too deep');
    this.space();
    const value = this.item(depth);
    this.space();
    return value;
  }

  item(depth) {
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      default:
        return this.word();
    }
  }

  word() {
    for (const [word, value] of [['true', true], ['false', false], ['null', null]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const number = this.match(NUMBER);
    if (!number || /[.eE0-9]/.test(this.text[this.at] ?? '')) throw new BadJson(`no JSON with integers, at ${this.at}`);
    return Number(number[0]);
  }

  string() {
    const found = this.match(STRING);
    if (!found) throw new BadJson(`a broken string at ${this.at}`);
    return JSON.parse(found[0]);
  }

  array(depth) {
    this.at++;
    const items = [];
    this.space();
    if (this.take(']')) return items;
    do items.push(this.value(depth + 1)); while (this.take(','));
    if (!this.take(']')) throw new BadJson(`an array without its end, at ${this.at}`);
    return items;
  }

  object(depth) {
    this.at++;
    const members = new Map();
    this.space();
    if (this.take('}')) return members;
    do {
      this.space();
      const name = this.string();
      this.space();
      if (!this.take(':')) throw new BadJson(`no colon behind a name, at ${this.at}`);
      if (members.has(name)) throw new BadJson(`the name ${name} stands twice in an object`);
      members.set(name, this.value(depth + 1));
    } while (this.take(','));
    if (!this.take('}')) throw new BadJson(`an object without its end, at ${this.at}`);
    return members;
  }
}
