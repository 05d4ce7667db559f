-- Images that are drawn once, at load, with the game's own shaders: LÖVE's part of a frame needs the images alone.
local graphics = love.graphics
local bake = {}

-- Colours are a quarter of light, so that 8 bits reach to 4.
bake.gain = 0.25

local folder
local programs = {}

local function text_of(name, included)
  local file = assert(io.open(folder .. "/" .. name))
  local text = file:read("*a")
  file:close()
  return (text:gsub('#include "([%w_.]+)"', function(other)
    if included[other] then return "" end
    included[other] = true
    return text_of(other, included)
  end))
end

-- A shader of the game for LÖVE: its uniform block as plain uniforms, its vertex inputs too (one figure a draw call).
local function program(vertex, fragment)
  local name = vertex .. " " .. fragment
  if programs[name] then return programs[name] end
  local function plain(text)
    text = text:gsub("layout%(std140%) uniform Frame {(.-)};", function(block) return block:gsub("\n%s*vec4", "\nuniform vec4") end)
    text = text:gsub("layout%(location = %d%) in", "uniform"):gsub("gl_InstanceID", "u_instance")
    return text:gsub("void main%(%)", "void spell_main()")
  end
  local v = plain(text_of(vertex, {}))
  local f = plain(text_of(fragment, {}))
  local out = f:match("layout%(location = 0%) out vec4 ([%w_]+);")
  f = f:gsub("layout%(location = 0%) out vec4", "vec4")
  local shader = graphics.newShader(
    "#pragma language glsl3\n" .. (v:find("u_instance") and "uniform int u_instance;\n" or "") .. v ..
    "\nuniform float u_flip;\nvec4 position(mat4 m, vec4 p) { spell_main(); return vec4(gl_Position.x, u_flip * gl_Position.y, 0.0, 1.0); }\n",
    "#pragma language glsl3\n" .. f ..
    "\nuniform float u_gain;\nvec4 effect(vec4 c, Image t, vec2 uv, vec2 s) { spell_main(); return vec4(" .. out .. ".rgb * u_gain, " .. out .. ".a); }\n")
  programs[name] = shader
  return shader
end

local strips = {}
local function strip(vertices)
  if not strips[vertices] then
    local list = {}
    for i = 1, vertices do list[i] = { 0, 0 } end
    strips[vertices] = graphics.newMesh({ { "VertexPosition", "float", 2 } }, list, "strip", "static")
  end
  return strips[vertices]
end

-- Draws once. `inputs`: uniforms by name; `with`: vertices, format, gain, flip, mode, keep (an array of parts drawn over each other).
local function draw_once(vertex, fragment, width, height, inputs, with)
  with = with or {}
  local shader = program(vertex, fragment)
  local canvas = graphics.newCanvas(width, height, { format = with.format or "rgba8" })
  canvas:setFilter(with.filter or "linear")
  graphics.push("all")
  graphics.reset()
  graphics.setCanvas(canvas)
  graphics.clear(0, 0, 0, 0)
  graphics.setBlendMode(with.mode or "replace", "premultiplied")
  graphics.setShader(shader)
  local function send(name, ...)
    if shader:hasUniform(name) then shader:send(name, ...) end
  end
  send("u_flip", with.flip and -1 or 1)
  send("u_gain", with.gain or 1)
  for name, value in pairs(inputs) do send(name, value) end
  graphics.draw(strip(with.vertices or 4))
  graphics.pop()
  return canvas
end

local area = { left = -720, top = -440, width = 1440, height = 880 }
bake.area = area

local function one_texel(r, g, b, a)
  local canvas = graphics.newCanvas(1, 1, { format = "rgba16f" })
  graphics.push("all")
  graphics.setCanvas(canvas)
  graphics.clear(r, g, b, a)
  graphics.pop()
  return canvas
end

local light, towards, plain_stone, runes

-- `rune_file`: the distances that src/render/rune_strip.hpp describes.
function bake.start(shader_folder, rune_file)
  folder = shader_folder
  -- Figures are lit by the moon; what spells throw on them is left out.
  light, towards = one_texel(0.08, 0.085, 0.14, -0.05), one_texel(0, 0, 0, -0.056)
  plain_stone = one_texel(0.40, 0.5, 0.5, 0)
  local file = assert(io.open(rune_file, "rb"))
  runes = graphics.newImage(love.image.newImageData(12 * 128, 128, "r32f", file:read("*a")))
  file:close()
end

-- The arena: its reflectance with the moon's relief (the root of it), and the light of the night, both over bake.area.
function bake.ground()
  local frame = { u_camera = { 0, 0, 1, 1 }, u_ground = { area.left, area.top, 1 / area.width, 1 / area.height }, u_runes = runes }
  local height = draw_once("ground.vert", "ground_height.frag", area.width, area.height, frame, { format = "rgba16f", filter = "nearest" })
  frame.u_source = height
  local stone = draw_once("ground.vert", "ground_stone.frag", area.width, area.height, frame, { filter = "nearest" })
  local sky = draw_once("ground.vert", "ground_sky.frag", area.width / 4, area.height / 4, frame, { format = "rgba16f" })
  local relief = graphics.newShader [[
    vec4 effect(vec4 c, Image stone, vec2 uv, vec2 s) {
      vec4 t = Texel(stone, uv);
      float relief = max(0.10, 1.0 + 2.3 * dot(t.yz * 2.0 - 1.0, vec2(-0.62, -0.70) * 0.85));
      return vec4(vec3(t.x * sqrt(relief)), 1.0);
    }]]
  local ground = graphics.newCanvas(area.width, area.height)
  ground:setFilter("nearest")
  local night = graphics.newCanvas(area.width / 4, area.height / 4, { format = "rgba16f" })
  local mist = graphics.newShader [[
    vec4 effect(vec4 c, Image sky, vec2 uv, vec2 s) {
      float radius = length((uv - 0.5) * vec2(1440.0, 880.0));
      float mist = smoothstep(334.0, 341.0, radius) * mix(0.16, 0.95, smoothstep(338.0, 400.0, radius));
      return vec4(Texel(sky, uv).rgb * mist, 1.0);
    }]]
  graphics.push("all")
  graphics.setBlendMode("replace", "premultiplied")
  graphics.setCanvas(ground)
  graphics.setShader(relief)
  graphics.draw(stone)
  graphics.setCanvas(night)
  graphics.setShader(mist)
  graphics.draw(sky)
  graphics.pop()
  return ground, sky, night
end

-- Rune i of 0 to 11, burning (finale 0) or white (1): 80×80, its middle at the rune's place.
function bake.rune(i, finale)
  local turn = i * math.pi / 6
  local x, y = 300 * math.sin(turn), -300 * math.cos(turn)
  return draw_once("rune.vert", "rune.frag", 80, 80, {
    u_camera = { x, y, 1, 1 }, u_view = { 40, 40, 80, 80 }, u_clock = { 0, i + 1, finale, 0 }, u_runes = runes, u_instance = i,
  }, { flip = true, gain = bake.gain })
end

-- The ring in the finale: 720×720.
function bake.ring_glow()
  return draw_once("ring_glow.vert", "ring_glow.frag", 720, 720,
    { u_camera = { 0, 0, 1, 1 }, u_view = { 360, 360, 720, 720 }, u_clock = { 1.5, 12, 1, 0 } },
    { flip = true, gain = bake.gain, vertices = 146 })
end

-- Masks of the particles, half of each, side by side: glow, spark, shard, star, smoke, round spark.
function bake.particles()
  local side = 64
  local function halo(d2) return math.max(0, 1 - d2) end
  local masks = {
    function(x, y)
      local d2 = x * x + y * y
      local core = math.max(0, 1 - 9 * d2)
      return 0.22 * halo(d2) ^ 3 + core * (2 - core)
    end,
    function(x, y)  -- the quad's own height is the streak's width; its ends are round
      local taper = 0.30 + 0.70 * (0.5 + 0.5 * x)
      local over = math.max(0, math.abs(x) - 0.6) / 0.4
      local d2 = y * y + over * over
      local core = math.max(0, 1 - 8 * d2 / (taper * taper))
      return (0.20 * halo(d2) ^ 2 + core * (2 - core)) * taper * taper
    end,
    function(x, y)
      local inside = 1 - math.abs(x) * 1.05 - math.abs(y) * 3.6
      local body = math.min(1, math.max(0, inside * 4))
      local facet = math.min(1, math.max(0.45, 0.725 + 8 * y))
      return 0.72 * body * (facet + 0.5 * math.max(0, inside)) + 0.10 * halo(x * x + y * y) ^ 3
    end,
    function(x, y)
      local function ray(a, b) return math.max(0, 1 - b * (6 + 9 * a)) ^ 2 * math.max(0, 1 - a) end
      local a, b = math.abs(x), math.abs(y)
      local d2 = x * x + y * y
      return ray(a, b) + ray(b, a) + math.max(0, 1 - 18 * d2) + 0.14 * halo(d2) ^ 3
    end,
    function(x, y)
      local n, weight = 0, 0.5
      for octave = 0, 3 do
        n = n + weight * love.math.noise(3 + x * 0.44 * 2 ^ octave, 5 + y * 0.44 * 2 ^ octave)
        weight = weight / 2
      end
      local round = math.max(0, 1 - x * x - y * y)
      local mask = math.min(1, math.max(0, round * (0.35 + 1.5 * n) - 0.18 * (1 - round)))
      return mask * mask * (3 - 2 * mask)
    end,
    function(x, y)
      local taper = 0.30 + 0.70 * math.min(1, math.max(0, 0.5 + 0.5 * x))
      local d2 = x * x + y * y
      local core = math.max(0, 1 - 8 * d2 / (taper * taper))
      return (0.20 * halo(d2) ^ 2 + core * (2 - core)) * taper * taper
    end,
  }
  local pixels = love.image.newImageData(side * #masks, side)
  pixels:mapPixel(function(x, y)
    local u = (x % side + 0.5) / (side / 2) - 1
    local v = (y + 0.5) / (side / 2) - 1
    local mask = math.min(1, 0.5 * masks[math.floor(x / side) + 1](u, v))
    return mask, mask, mask, mask
  end)
  local image = graphics.newImage(pixels)
  image:setFilter("linear")
  return image
end

-- Kinds of frame::SpriteKind that the scene has, by number. `step` as in src/render/figures.hpp; `levels`: how many different states
-- an image is drawn for, of p0, p1, p2 and the angle (0: it does not matter, or the image is moved, turned, scaled or dimmed instead).
local kinds = {
  [0] = { "sprite.vert", "mage.frag", step = { 0.98, 0.98, 0.05, 0.18 }, levels = { 4, 8, 1, 16 } },
  [1] = { "sprite.vert", "dummy.frag", step = { 0.46, 0.60, -0.03, 0.18 }, levels = { 4, 4, 4, 0 } },
  [2] = { "sprite.vert", "crystal.frag", step = { 0.64, 0.66, -0.07, 0.18 }, levels = { 4, 8, 4, 0 } },
  [3] = { "sprite.vert", "bolt.frag", step = { 1.30, 1.30, 0, 0 }, levels = { 8, 0, 0, 0 }, turns = true },
  [4] = { "band.vert", "nova_ring.frag", step = { 0.34, 1.20, 0, 0 }, levels = { 0, 0, 0, 0 }, band = true },
  [5] = { "vortex_core.vert", "vortex_core.frag", step = { 0, 0, 0, 0 }, levels = { 0, 0, 8, 0 }, disc = 0.44 },
  [6] = { "sprite.vert", "reticle.frag", step = { 0.80, 0.80, 0, 0 }, levels = { 16, 16, 1, 0 } },
  [7] = { "sprite.vert", "wisp.frag", step = { 1.00, 1.10, -0.10, 0 }, levels = { 2, 4, 8, 0 } },
  [8] = { "arc.vert", "arc.frag", step = { 0, 0, 0, 0 }, levels = { 0, 0, 6, 4 }, arc = true },
  [9] = { "disc.vert", "mark.frag", step = { 1.16, 0, 0, 0 }, levels = { 0, 12, 0, 0 }, disc = 1.16 },
  [10] = { "flying.vert", "meteor.frag", step = { 2.05, 1.00, -1.05, 0 }, levels = { 4, 0, 0, 0 }, turns = true, flies = true },
  [11] = { "band.vert", "shock_ring.frag", step = { 0.55, 1.22, 0, 0 }, levels = { 0, 0, 0, 0 }, band = true },
  [12] = { "disc.vert", "aura.frag", step = { 1.06, 0, 0, 0 }, levels = { 0, 0, 0, 0 }, disc = 1.06 },
  [13] = { "flying.vert", "star.frag", step = { 2.40, 1.20, -1.10, 0 }, levels = { 8, 0, 0, 0 }, turns = true, flies = true },
  [14] = { "flying.vert", "seeker.frag", step = { 1.60, 0.80, -0.75, 0 }, levels = { 0, 0, 0, 0 }, turns = true, flies = true },
  [15] = { "pillar.vert", "pillar.frag", step = { 1.90, 0, 0, 0 }, levels = { 0, 0, 0, 0 }, pillar = true },
}

local arc_length = 256
local images, image_count = {}, 0
local bands = {}
function bake.image_count() return image_count end

-- A ring that leaves its empty middle out, over an image that reaches `extent` radii each way.
function bake.band(inner, outer, extent)
  local name = inner .. " " .. outer .. " " .. extent
  if not bands[name] then
    local list = {}
    for i = 0, 121 do
      local turn = math.floor(i / 2) * math.pi / 30
      local r = i % 2 == 0 and inner or outer
      local x, y = math.cos(turn) * r, math.sin(turn) * r
      list[i + 1] = { x, y, 0.5 + 0.5 * x / extent, 0.5 + 0.5 * y / extent, 1, 1, 1, 1 }
    end
    bands[name] = graphics.newMesh(list, "strip", "static")
  end
  return bands[name]
end

local function level(value, count, whole)
  if count == 0 then return 0 end
  if whole then value = value % 1 end
  return math.floor(value * count + 0.5) / count
end

-- What to draw for a figure: {image, or mesh and its image, x and y of its origin in the image, scale it was made for}.
function bake.figure(s)
  local kind = kinds[s.kind]
  if not kind then return nil end
  local l = kind.levels
  local disc = kind.disc and math.max(8, math.ceil(s.p0 / 16) * 16)
  local tall = kind.pillar and math.floor(s.p0 + 0.5)
  local p0 = disc or tall or level(s.p0, l[1], s.kind == 13)
  local p1 = level(s.p1, l[2], s.kind == 0)
  local p2 = level(s.p2, l[3], s.kind == 7)
  local angle = level(s.angle, l[4], true)
  if s.kind == 3 then p0 = p0 % 1 end
  if kind.pillar or kind.disc == 1.06 then p1 = 1 end
  if s.kind == 9 then p2 = 1 end
  local size = math.max(1, math.floor(s.size + 0.5))
  local key = string.format("%d %d %g %g %g %g %.0f %.0f %.0f", s.kind, (kind.band or disc) and 0 or size, p0, p1, p2, angle, 6 * s.r, 6 * s.g, 6 * s.b)
  local made = images[key]
  if made then return made end
  local left, top, right, bottom = 0, 0, 0, 0
  local vertices, mode = 4, "replace"
  local step = kind.step
  if kind.band then
    p0, p1, vertices = 128, 1, 122
    left, top, right, bottom = -160, -160, 160, 160
  elseif disc then
    local r = kind.disc * disc
    left, top, right, bottom = -r, -r, r, r
  elseif kind.arc then
    local margin = 8 * size + 40
    p0, p1, vertices, mode = arc_length, 0, 312, "add"
    left, top, right, bottom = -margin, -margin, arc_length + margin, margin
  elseif kind.pillar then
    local w = step[1] * size
    left, top, right, bottom = -w, -tall, w, 0.62 * w
  elseif kind.flies then
    left, top, right, bottom = (step[3] - step[1]) * size, -step[2] * size, (step[3] + step[1]) * size, step[2] * size
  else
    local middle = -(step[3] + step[4]) * size
    left, top, right, bottom = -step[1] * size, middle - step[2] * size, step[1] * size, middle + step[2] * size
  end
  left, top, right, bottom = math.floor(left) - 1, math.floor(top) - 1, math.ceil(right) + 1, math.ceil(bottom) + 1
  local width, height = right - left, bottom - top
  local image = draw_once(kind[1], kind[2], width, height, {
    u_camera = { (left + right) / 2, (top + bottom) / 2, 1, 1 }, u_view = { width / 2, height / 2, width, height }, u_clock = { 1, 0, 0, 1 },
    u_ground = { 0, 0, 0, 0 }, u_small = { 1, 1, 0, 0 }, u_light = light, u_bloom = towards, u_stone = plain_stone, u_step = step,
    a_place = { 0, 0, 0, 0 }, a_size = { size, kind.arc and angle or (kind.turns and 0 or angle) }, a_state = { p0, p1, p2 },
    a_tint = { s.r, s.g, s.b },
  }, { flip = true, gain = bake.gain, vertices = vertices, mode = mode })
  made = { image = image, x = -left, y = -top, kind = kind, radius = disc, tall = tall, length = arc_length }
  if kind.band then
    made.mesh = bake.band(step[1], step[2], 160 / 128)
  end
  images[key] = made
  image_count = image_count + 1
  return made
end

return bake
