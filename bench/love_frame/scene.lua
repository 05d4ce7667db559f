-- The spells scene as LÖVE draws it, from a frame of bench_frame_peer. What is fastest here, and documented:
-- particles are instances of one quad, uploaded as they lie in memory (Mesh:setVertices with Data); all masks in one image; figures,
-- runes and the ring are images made at load; light and bloom have a sixteenth of the pixels; one shader makes the finished frame.
local bake = require "bake"
local graphics = love.graphics
local width, height = 1280, 720
local scene = {}

local quad_code = [[
#pragma language glsl3
attribute vec4 a_quad;
attribute vec4 a_colour;
attribute vec4 a_look;
uniform vec2 corner;
varying vec2 v_at;
varying vec4 v_colour;
#ifdef MATTER
uniform Image light;
#endif
vec4 position(mat4 to_clip, vec4 vertex) {
  vec4 quad = a_quad * 65535.0;
  float mask = floor(a_look.x * 255.0 + 0.5);
  float turn = a_look.z * (255.0 * 6.2831853 / 256.0);
  vec2 axis = vec2(cos(turn), sin(turn));
  vec2 middle = quad.xy * (1.0 / 32.0) - 1024.0 - corner;
  vec2 p = vertex.xy * quad.zw * (1.0 / 128.0);
  v_at = vec2((mask + 0.5 + 0.484375 * vertex.x) / 6.0, 0.5 + 0.484375 * vertex.y);
  float bright = a_look.y * (255.0 / 32.0 * 0.25);
#ifdef MATTER
  vec3 lit = textureLod(light, middle / vec2(1280.0, 720.0), 0.0).rgb;
  v_colour = 2.0 * vec4(a_colour.rgb * bright * (vec3(0.09) + 1.1 * lit / (1.0 + 1.6 * lit)) * a_colour.a, a_colour.a);
#else
  v_colour = 2.0 * vec4(a_colour.rgb * bright, 0.0);
#endif
  return to_clip * vec4(middle + p.x * axis + p.y * vec2(-axis.y, axis.x), 0.0, 1.0);
}
]]
local mask_code = [[
#pragma language glsl3
varying vec2 v_at;
varying vec4 v_colour;
vec4 effect(vec4 c, Image masks, vec2 uv, vec2 s) { return v_colour * Texel(masks, v_at).r; }
]]

local light_vertex = [[
#pragma language glsl3
attribute vec4 a_place;
attribute vec4 a_light;
uniform vec2 corner;
varying vec2 v_at;
varying vec3 v_colour;
varying vec2 v_world;
vec4 position(mat4 to_clip, vec4 vertex) {
  v_at = vertex.xy;
  v_world = a_place.xy + vertex.xy * a_light.x;
  v_colour = max(vec3(0.0), a_light.yzw + 0.24 * (a_light.yzw - dot(a_light.yzw, vec3(0.30, 0.55, 0.15))));
  return to_clip * vec4(0.25 * (v_world - corner), 0.0, 1.0);
}
]]
local light_pixel = [[
#pragma language glsl3
varying vec2 v_at;
varying vec3 v_colour;
varying vec2 v_world;
vec4 effect(vec4 c, Image t, vec2 uv, vec2 s) {
  float d2 = dot(v_at, v_at);
  float fade = max(0.0, 1.0 - d2);
  return vec4(v_colour * (fade * fade / (1.0 + 9.0 * d2) * mix(1.0, 0.10, smoothstep(318.0, 372.0, length(v_world)))), 0.0);
}
]]

-- 0.25 of four reads, and 0.16 of the bloom in the finished frame.
local gather_code = [[
uniform vec2 texel;
vec3 bright(Image t, vec2 uv) {
  vec3 c = 4.0 * Texel(t, uv).rgb;
  float top = max(c.r, max(c.g, c.b));
  return c * (max(0.0, top - 0.12) / (top + 0.45));
}
vec4 effect(vec4 c, Image t, vec2 uv, vec2 s) {
  return vec4(0.04 * (bright(t, uv + texel) + bright(t, uv - texel) + bright(t, uv + vec2(texel.x, -texel.y)) + bright(t, uv + vec2(-texel.x, texel.y))), 1.0);
}
]]
local shrink_code = [[
uniform vec2 texel;
vec4 effect(vec4 c, Image t, vec2 uv, vec2 s) {
  vec3 sum = 4.0 * Texel(t, uv).rgb + Texel(t, uv + texel).rgb + Texel(t, uv - texel).rgb;
  sum += Texel(t, uv + vec2(texel.x, -texel.y)).rgb + Texel(t, uv + vec2(-texel.x, texel.y)).rgb;
  return vec4(sum * 0.125, 1.0);
}
]]
local spread_code = [[
uniform vec2 texel;
uniform float weight;
vec4 effect(vec4 c, Image t, vec2 uv, vec2 s) {
  vec3 sum = Texel(t, uv + texel).rgb + Texel(t, uv - texel).rgb;
  sum += Texel(t, uv + vec2(texel.x, -texel.y)).rgb + Texel(t, uv + vec2(-texel.x, texel.y)).rgb;
  return vec4(sum * (0.25 * weight), 1.0);
}
]]
-- The fourth root of light up to 16, for 8 bits, which llvmpipe filters faster than half floats: 2 to 4 ms of CPU less a frame.
local pack_code = [[
vec4 effect(vec4 c, Image t, vec2 uv, vec2 s) { return vec4(sqrt(sqrt(Texel(t, uv).rgb * (1.0 / 16.0))), 1.0); }
]]
local finish_vertex = [[
attribute float a_vignette;
varying float v_vignette;
varying vec2 v_ground;
uniform vec2 ground_from;
vec4 position(mat4 to_clip, vec4 vertex) {
  v_vignette = a_vignette;
  v_ground = (vertex.xy + ground_from) / vec2(1440.0, 880.0);
  return to_clip * vertex;
}
]]
local finish_pixel = [[
varying float v_vignette;
varying vec2 v_ground;
uniform Image ground;
uniform Image light;
uniform Image bloom;
vec3 unpacked(vec3 c) {
  c *= c;
  return c * c * 16.0;
}
vec4 effect(vec4 colour, Image scene, vec2 uv, vec2 s) {
  vec4 over = Texel(scene, uv);
  vec3 lit = unpacked(Texel(light, uv).rgb);
  float stone = Texel(ground, v_ground).r;
  float bright = dot(lit, vec3(0.30, 0.55, 0.15));
  vec3 below = lit * (stone * stone * max(0.5, 1.0 - 0.20 * bright));
  vec3 c = (unpacked(Texel(bloom, uv).rgb) + below * (1.0 - over.a) + 4.0 * over.rgb) * v_vignette;
  float top = max(max(c.r, c.g), c.b);
  c = max(vec3(0.0), 1.15 * c - 0.15 * top);
  vec4 x = vec4(c, top) * ((1.0 + 0.030 * top) / (1.0 + 0.17 * top));
  vec4 gain = x * (1.0 + 0.04 * x) / ((x + 0.0045) * (x + 0.80));
  return vec4(sqrt(x.rgb * mix(gain.rgb, gain.aaa, 0.50)), 1.0);
}
]]

local function quad(extra)
  return graphics.newMesh({ { "VertexPosition", "float", 2 } }, { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } }, "strip", "static")
end

local function instances(format, most)
  local mesh = quad()
  local data = graphics.newMesh(format, math.max(1, most), "points", "stream")
  for _, attribute in ipairs(format) do mesh:attachAttribute(attribute[1], data, "perinstance") end
  return { mesh = mesh, data = data }
end

local particle_format = { { "a_quad", "unorm16", 4 }, { "a_colour", "byte", 4 }, { "a_look", "byte", 4 } }
local light_format = { { "a_place", "float", 4 }, { "a_light", "float", 4 } }
local levels = 5

-- `format`: of the scene's canvas, rgba16f or rgba8.
function scene.make(shader_folder, format, rune_file, most)
  bake.start(shader_folder, rune_file)
  scene.format = format
  scene.ground, scene.sky, scene.night = bake.ground()
  scene.masks = bake.particles()
  scene.ring = bake.ring_glow()
  scene.ring_mesh = bake.band(256 / 360, 352 / 360, 1)
  scene.runes, scene.white_runes = {}, {}
  for i = 0, 11 do scene.runes[i], scene.white_runes[i] = bake.rune(i, 0), bake.rune(i, 1) end
  scene.matter, scene.light = instances(particle_format, most.matter), instances(particle_format, most.light)
  scene.lights = instances(light_format, most.lights)
  scene.matter_shader = graphics.newShader((quad_code:gsub("#pragma language glsl3", "#pragma language glsl3\n#define MATTER", 1)), mask_code)
  scene.light_shader = graphics.newShader(quad_code, mask_code)
  scene.lamp_shader = graphics.newShader(light_vertex, light_pixel)
  scene.gather, scene.shrink, scene.spread = graphics.newShader(gather_code), graphics.newShader(shrink_code), graphics.newShader(spread_code)
  scene.pack = graphics.newShader(pack_code)
  scene.packed_light, scene.packed_bloom = graphics.newCanvas(width / 4, height / 4), graphics.newCanvas(width / 4, height / 4)
  scene.finish = graphics.newShader(finish_vertex, finish_pixel)
  scene.canvas = graphics.newCanvas(width, height, { format = format })
  scene.canvas:setFilter("nearest")
  scene.lit = graphics.newCanvas(width / 4, height / 4, { format = "rgba16f" })
  scene.bloom = {}
  local w, h = width / 4, height / 4
  for i = 1, levels do
    scene.bloom[i] = graphics.newCanvas(w, h, { format = "rgba16f" })
    w, h = math.ceil(w / 2), math.ceil(h / 2)
  end
  -- A grid, so that the vignette is worked out at its corners.
  local columns, rows, list, map = 20, 11, {}, {}
  for row = 0, rows do
    for column = 0, columns do
      local u, v = column / columns, row / rows
      local x, y = (2 * u - 1) * 0.80, (2 * v - 1) * 0.92
      local far = x * x + y * y
      list[#list + 1] = { u * width, v * height, u, v, 1 / (1 + 0.20 * far + 0.16 * far * far) }
      if row < rows and column < columns then
        local a = row * (columns + 1) + column + 1
        local b = a + columns + 1
        for _, index in ipairs { a, a + 1, b, b, a + 1, b + 1 } do map[#map + 1] = index end
      end
    end
  end
  scene.grid = graphics.newMesh({ { "VertexPosition", "float", 2 }, { "VertexTexCoord", "float", 2 }, { "a_vignette", "float", 1 } }, list,
    "triangles", "static")
  scene.grid:setVertexMap(map)
  scene.grid:setTexture(scene.canvas)
end

-- Finds or makes the images of a frame's figures, before anything is timed.
function scene.prepare(frame)
  frame.drawn = {}
  for i = 0, frame.head.figures - 1 do
    local s = frame.figures[i]
    local made = bake.figure(s)
    if made then
      local fade = 1
      local one = { made = made, x = s.x, y = s.y, turn = 0, sx = 1, sy = 1 }
      if made.kind.turns then one.turn = s.angle * 2 * math.pi end
      if made.kind.arc then
        local dx, dy = s.p0 - s.x, s.p1 - s.y
        one.turn, one.sx = math.atan2(dy, dx), math.sqrt(dx * dx + dy * dy) / made.length
      elseif made.kind.band then
        one.sx, one.sy = math.max(s.p0, 0.5), math.max(s.p0, 0.5)
        fade = s.p1 * s.p1 * (1.5 - 0.5 * s.p1)
      elseif made.radius then
        one.sx = s.p0 / made.radius
        one.sy = one.sx
        if s.kind == 5 then one.turn = s.p1 * 2 * math.pi end
        if s.kind == 12 then one.turn, fade = s.p2 * 2 * math.pi, s.p1 * s.p1 * (3 - 2 * s.p1) end
        if s.kind == 9 then fade = s.p2 * s.p2 * (3 - 2 * s.p2) end
      elseif made.tall then
        local f = s.p1
        one.sy, fade = math.max(0.01, f * (2 - f)), f * f * (3 - 2 * f)
      end
      one.fade = math.max(0, math.min(1, fade))
      frame.drawn[#frame.drawn + 1] = one
    end
  end
end

function scene.image_count() return bake.image_count() end

local corner = { 0, 0 }

local function draw_instances(part, shader, data, count)
  if count == 0 then return end
  part.data:setVertices(data, 1, count)
  graphics.setShader(shader)
  graphics.drawInstanced(part.mesh, count)
end

function scene.draw(frame, target)
  local head = frame.head
  local left, top = head.left, head.top
  corner[1], corner[2] = left, top
  local area = bake.area
  local ground_x, ground_y = left - area.left, top - area.top
  graphics.reset()

  -- Light on the ground.
  graphics.setCanvas(scene.lit)
  graphics.setBlendMode("replace", "premultiplied")
  graphics.draw(scene.sky, -ground_x / 4, -ground_y / 4)
  graphics.setBlendMode("add", "premultiplied")
  scene.lamp_shader:send("corner", corner)
  draw_instances(scene.lights, scene.lamp_shader, frame.lights, head.lights)

  -- The scene, premultiplied: runes, matter, figures, light.
  graphics.setCanvas(scene.canvas)
  graphics.clear(0, 0, 0, 0)
  graphics.setShader()
  graphics.setBlendMode("add", "premultiplied")
  if head.runes_lit > 0 then
    for i = 0, 11 do
      local lit = math.max(0, math.min(1, head.runes_lit - i))
      local turn = i * math.pi / 6
      local x, y = 300 * math.sin(turn) - 40 - left, -300 * math.cos(turn) - 40 - top
      if lit > 0 then
        graphics.setColor(lit, lit, lit, 1)
        graphics.draw(head.finale > 0.5 and scene.white_runes[i] or scene.runes[i], math.floor(x + 0.5), math.floor(y + 0.5))
      end
    end
  end
  if head.finale > 0 then
    graphics.setColor(head.finale, head.finale, head.finale, 1)
    scene.ring_mesh:setTexture(scene.ring)
    graphics.draw(scene.ring_mesh, -left, -top, 0, 360, 360)
  end
  graphics.setColor(1, 1, 1, 1)
  graphics.setBlendMode("alpha", "premultiplied")
  if head.matter > 0 then
    scene.matter_shader:send("corner", corner)
    scene.matter_shader:send("light", scene.lit)
    scene.matter.mesh:setTexture(scene.masks)
    draw_instances(scene.matter, scene.matter_shader, frame.matter, head.matter)
    graphics.setShader()
  end
  for _, one in ipairs(frame.drawn) do
    local made, f = one.made, one.fade
    graphics.setColor(f, f, f, f)
    if made.mesh then
      made.mesh:setTexture(made.image)
      graphics.draw(made.mesh, one.x - left, one.y - top, 0, one.sx, one.sy)
    else
      graphics.draw(made.image, math.floor(one.x - left + 0.5), math.floor(one.y - top + 0.5), one.turn, one.sx, one.sy, made.x, made.y)
    end
  end
  graphics.setColor(1, 1, 1, 1)
  graphics.setBlendMode("add", "premultiplied")
  scene.light_shader:send("corner", corner)
  scene.light.mesh:setTexture(scene.masks)
  draw_instances(scene.light, scene.light_shader, frame.light, head.light)

  -- Bloom, then the night beyond the ring into its sharpest level.
  graphics.setBlendMode("replace", "premultiplied")
  graphics.setCanvas(scene.bloom[1])
  graphics.setShader(scene.gather)
  scene.canvas:setFilter("linear")  -- between pixels here, exactly one in the finished frame
  scene.gather:send("texel", { 1 / width, 1 / height })
  graphics.draw(scene.canvas, 0, 0, 0, 0.25, 0.25)
  scene.canvas:setFilter("nearest")
  graphics.setShader(scene.shrink)
  for i = 2, levels do
    local from, to = scene.bloom[i - 1], scene.bloom[i]
    graphics.setCanvas(to)
    scene.shrink:send("texel", { 1 / from:getWidth(), 1 / from:getHeight() })
    graphics.draw(from, 0, 0, 0, to:getWidth() / from:getWidth(), to:getHeight() / from:getHeight())
  end
  graphics.setBlendMode("add", "premultiplied")
  graphics.setShader(scene.spread)
  for i = levels - 1, 1, -1 do
    local from, to = scene.bloom[i + 1], scene.bloom[i]
    graphics.setCanvas(to)
    scene.spread:send("texel", { 0.7 / from:getWidth(), 0.7 / from:getHeight() })
    scene.spread:send("weight", i > 1 and 0.85 or 1)
    graphics.draw(from, 0, 0, 0, to:getWidth() / from:getWidth(), to:getHeight() / from:getHeight())
  end
  graphics.setShader()
  graphics.draw(scene.night, -ground_x / 4, -ground_y / 4)

  -- The finished frame.
  graphics.setBlendMode("replace", "premultiplied")
  graphics.setShader(scene.pack)
  graphics.setCanvas(scene.packed_light)
  graphics.draw(scene.lit)
  graphics.setCanvas(scene.packed_bloom)
  graphics.draw(scene.bloom[1])
  graphics.setCanvas(target)
  graphics.setShader(scene.finish)
  scene.finish:send("ground", scene.ground)
  scene.finish:send("light", scene.packed_light)
  scene.finish:send("bloom", scene.packed_bloom)
  scene.finish:send("ground_from", { ground_x, ground_y })
  graphics.draw(scene.grid)
  graphics.setShader()
  graphics.setCanvas()
end

return scene
