const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 800, HEIGHT = 350, MARGIN = 70;

// Draws memories as circles and links as lines. The first memory is the one that was asked for.
export function draw(svg, nodes, edges) {
  const place = arranged(nodes, edges);
  const lines = edges.map(({ kind, from, to }) => {
    const [a, b] = [place.get(from.uuid), place.get(to.uuid)];
    const line = made("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    const name = made("text", { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 4 }, kind.toLowerCase().replaceAll("_", " "));
    return [line, name];
  });
  const dots = nodes.map(({ uuid, caption }, index) => {
    const { x, y } = place.get(uuid);
    const text = caption.length > 26 ? `${caption.slice(0, 25)}…` : caption;
    return [made("circle", { cx: x, cy: y, r: 10, class: index ? "" : "asked" }), made("text", { x, y: y - 18 }, text)];
  });
  svg.replaceChildren(...lines.flat(), ...dots.flat());
}

// From a circle, memories push one another away and links pull them together, for a while.
function arranged(nodes, edges) {
  const at = nodes.map((_, index) => ({
    x: Math.cos((2 * Math.PI * index) / nodes.length),
    y: Math.sin((2 * Math.PI * index) / nodes.length),
  }));
  const index = new Map(nodes.map(({ uuid }, place) => [uuid, place]));
  const linked = edges.map(({ from, to }) => [index.get(from.uuid), index.get(to.uuid)]);
  for (let round = 0; round < 300; round += 1) {
    const step = 0.2 * (1 - round / 300);
    at.forEach((a, i) => at.forEach((b, j) => i !== j && move(a, b, (-step * 0.4) / distance(a, b) ** 2)));
    linked.forEach(([i, j]) => {
      move(at[i], at[j], step * distance(at[i], at[j]));
      move(at[j], at[i], step * distance(at[i], at[j]));
    });
  }
  const fit = (axis, size) => {
    const all = at.map((each) => each[axis]);
    const least = Math.min(...all), span = Math.max(...all) - least;
    return (each) => (span ? MARGIN + ((each[axis] - least) / span) * (size - 2 * MARGIN) : size / 2);
  };
  const [x, y] = [fit("x", WIDTH), fit("y", HEIGHT)];
  return new Map(nodes.map(({ uuid }, place) => [uuid, { x: x(at[place]), y: y(at[place]) }]));
}

const distance = (a, b) => Math.max(Math.hypot(a.x - b.x, a.y - b.y), 0.05);

function move(a, b, length) {
  const far = distance(a, b);
  a.x += ((b.x - a.x) / far) * length;
  a.y += ((b.y - a.y) / far) * length;
}

function made(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}
