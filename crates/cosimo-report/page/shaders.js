// Programs of the graphics processor: solids and their edges (one vertex program), and the grid on the ground.

export const SOLID_VERTEX = `#version 300 es
layout(location=0) in vec3 position;
layout(location=1) in vec3 normal;
layout(location=2) in float end;
layout(location=3) in vec3 place;
layout(location=4) in vec4 turn;
layout(location=5) in vec3 size;
layout(location=6) in float stretch;
layout(location=7) in vec4 color;
uniform mat4 world;
uniform mat4 view;
uniform vec3 light;
uniform float ground;
uniform float lift;
uniform vec3 eye;
uniform vec3 back;
uniform bool parallel;
uniform bool shadow;
uniform float pixels;
out float strength;
out vec3 at;
out vec3 facing;
out vec4 tint;
out float above;
vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void main() {
  vec3 local = position * size + vec3(0.0, 0.0, end * stretch);
  at = (world * vec4(place + rotate(turn, local), 1.0)).xyz;
  facing = (world * vec4(rotate(turn, normal / max(abs(size), vec3(1e-9))), 0.0)).xyz;
  above = at.z - ground;
  if (shadow) at -= light * (above / light.z);
  tint = color;
  vec3 to = parallel ? back : normalize(eye - at);
  gl_Position = view * vec4(at + lift * to, 1.0);
  strength = smoothstep(4.0, 16.0, max(max(size.x, size.y), stretch) * pixels / gl_Position.w);
}`;

export const SOLID_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at;
in vec3 facing;
in vec4 tint;
in float above;
in float strength;
uniform vec3 eye;
uniform vec3 back;
uniform bool parallel;
uniform vec3 light;
uniform bool shadow;
uniform bool line;
uniform bool bright;
uniform float veil;
uniform vec4 ink;
out vec4 result;
void main() {
  if (shadow) {
    if (above < 0.0) discard;
    result = vec4(0.0, 0.0, 0.0, ink.a);
    return;
  }
  if (line) {
    result = vec4(mix(tint.rgb, ink.rgb, ink.a), 1.0) * strength;
    return;
  }
  vec3 to = parallel ? back : normalize(eye - at);
  vec3 n = normalize(facing);
  if (dot(n, to) < 0.0) n = -n;
  vec3 base = tint.rgb * tint.rgb;
  float key = pow(0.5 + 0.5 * dot(n, light), 1.5);
  float sky = 0.5 + 0.5 * n.z;
  float head = max(dot(n, to), 0.0);
  vec3 lit = base * (0.16 + 0.22 * sky + 0.66 * key + 0.16 * head);
  float gloss = pow(max(dot(n, normalize(light + to)), 0.0), 48.0);
  lit += 0.10 * gloss;
  lit *= mix(0.72, 1.0, smoothstep(0.0, 0.42, head));
  if (bright) lit = mix(base, lit, 0.3);
  result = vec4(sqrt(lit), 1.0) * tint.a * veil;
}`;

export const GRID_VERTEX = `#version 300 es
layout(location=0) in vec3 position;
uniform mat4 view;
uniform vec2 middle;
uniform float reach;
uniform float ground;
out vec2 at;
void main() {
  at = middle + position.xy * 2.0 * reach;
  gl_Position = view * vec4(at, ground, 1.0);
  gl_Position.z += 1e-5 * gl_Position.w;
}`;

export const GRID_FRAGMENT = `#version 300 es
precision highp float;
in vec2 at;
uniform vec2 middle;
uniform float reach;
uniform float cell;
uniform vec4 ink;
out vec4 result;
float lines(float width) {
  vec2 p = at / width;
  vec2 d = fwidth(p);
  vec2 near = abs(fract(p - 0.5) - 0.5) / max(d, vec2(1e-9));
  vec2 fine = clamp(0.5 / max(d, vec2(1e-9)) - 1.0, 0.0, 1.0);
  vec2 on = (1.0 - min(near, vec2(1.0))) * fine;
  return max(on.x, on.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(at - middle) / reach);
  float strength = max(0.38 * lines(cell), 0.85 * lines(5.0 * cell)) * fade;
  float a = ink.a * strength;
  result = vec4(ink.rgb * a, a);
}`;
