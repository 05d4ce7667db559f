// Runs a report's script with a canvas that only writes down where texts go: node report_axes.mjs report.html
// Prints a JSON list of the texts that leave their canvas.
import {readFileSync} from 'node:fs';

const html = readFileSync(process.argv[2], 'utf8');
const texts = new Map([...html.matchAll(/<script type="[^"]*" id="([^"]+)">([^]*?)<\/script>/g)].map(m => [m[1], m[2]]));
const script = html.match(/<script>([^]*?)<\/script>/)[1];
const kWidth = 1000, kHeight = 300, kLetter = 6.8;  // px of a letter of 12 px
const outside = [], written = [];

function context() {
  const g = {textAlign: 'left', measureText: text => ({width: text.length * kLetter})};
  g.fillText = (text, x, y) => {
    const wide = text.length * kLetter;
    const left = g.textAlign === 'right' ? x - wide : g.textAlign === 'center' ? x - wide / 2 : x;
    written.push(text);
    if (left < 0 || left + wide > kWidth || y < 0 || y > kHeight) outside.push({text, left, right: left + wide});
  };
  return new Proxy(g, {get: (target, key) => key in target ? target[key] : () => {}});
}
const elements = new Map();
function element(id) {
  if (!elements.has(id)) {
    const made = {
      dataset: {}, style: {}, textContent: texts.get(id) ?? '', width: 0, height: 0, value: 'linear',
      addEventListener() {}, append() {}, replaceChildren() {}, setAttribute() {}, focus() {},
      getBoundingClientRect: () => ({left: 0, top: 0, width: kWidth, height: kHeight}), context: context(),
      getContext() { return this.context; },
    };
    elements.set(id, made);
  }
  return elements.get(id);
}
globalThis.document = {getElementById: element, querySelectorAll: () => [], documentElement: element('html'),
                       createElement: () => element('made')};
globalThis.window = globalThis;
globalThis.devicePixelRatio = 1;
globalThis.getComputedStyle = () => ({getPropertyValue: () => '#000'});
globalThis.matchMedia = () => ({addEventListener() {}});
globalThis.addEventListener = () => {};
globalThis.requestAnimationFrame = () => 0;
globalThis.cancelAnimationFrame = () => {};
new Function(script)();
process.stdout.write(JSON.stringify({written: written.length, outside}) + '\n', () => process.exit(0));
