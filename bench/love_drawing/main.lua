-- LÖVE drawing soft round dots for bench_draw (see bench/peer_process.hpp). One line in, one line out. KIND is "system", a
-- ParticleSystem, or "batch", a SpriteBatch:
--   (start)                   → ready VERSION RENDERER
--   make KIND COUNT DIAMETER  → made COUNT
--   frame KIND                → NS       of one frame, until OpenGL has finished it
--   lit KIND                  → SHARE    of the pixels that a frame lit, 0 … 1
-- The dots of a ParticleSystem are moved by its own update, untimed; drawing it makes its vertices anew. Those of a SpriteBatch
-- are made once and moved together, so nothing but drawing is left to it: Lua's calls for each dot would cost more than that.
local ffi = require "ffi"
ffi.cdef [[
  void *SDL_GL_GetProcAddress(const char *name);
]]
local function gl(name, type) return ffi.cast(type, ffi.C.SDL_GL_GetProcAddress(name)) end
local finish = gl("glFinish", "void (*)(void)")
local read_pixels = gl("glReadPixels", "void (*)(int, int, int, int, unsigned, unsigned, void *)")

local width, height = 1280, 720
local texture_px = 64
local lit_from = 6
local glow
local things = {}

local function make_glow()
  local pixels = love.image.newImageData(texture_px, texture_px)
  pixels:mapPixel(function(x, y)
    local u, v = (x + 0.5) / (texture_px / 2) - 1, (y + 0.5) / (texture_px / 2) - 1
    local d2 = u * u + v * v
    local halo, core = math.max(0, 1 - d2), math.max(0, 1 - 9 * d2)
    return 1, 1, 1, math.min(1, 0.22 * halo ^ 3 + core * (2 - core))
  end)
  return love.graphics.newImage(pixels)
end

local makers = {}

function makers.system(count, diameter)
  local ps = love.graphics.newParticleSystem(glow, math.max(count, 1))
  ps:setParticleLifetime(1e6)
  ps:setEmissionArea("uniform", width / 2 - diameter / 2 - 5, height / 2 - diameter / 2 - 5)
  ps:setSpread(2 * math.pi)
  ps:setSpeed(0, 20)
  ps:setSizes(diameter / texture_px)
  ps:setColors(0.5, 0.35, 0.25, 1)
  ps:start()
  ps:emit(count)
  return {
    draw = function() love.graphics.draw(ps, width / 2, height / 2) end,
    -- Thousands of frames move a dot by less than the margin.
    move = function() ps:update(1 / 20000) end,
    count = ps:getCount(),
  }
end

function makers.batch(count, diameter)
  local batch = love.graphics.newSpriteBatch(glow, math.max(count, 1), "dynamic")
  local margin, scale, middle = diameter / 2 + 5, diameter / texture_px, texture_px / 2
  local random = love.math.newRandomGenerator(7)
  for _ = 1, count do
    batch:setColor(96 / 255 + random:random() / 4, 64 / 255 + random:random() / 5, 32 / 255 + random:random() / 4)
    local x = margin + random:random() * (width - 2 * margin)
    local y = margin + random:random() * (height - 2 * margin)
    batch:add(x, y, 0, scale, scale, middle, middle)
  end
  local frame = 0
  return {
    draw = function() love.graphics.draw(batch, 0.4 * (frame % 10), 0.3 * (frame % 10)) end,
    move = function() frame = frame + 1 end,
    count = batch:getCount(),
  }
end

local function draw(thing)
  love.graphics.origin()
  love.graphics.clear(0, 0, 0, 1)
  love.graphics.setBlendMode("add")
  thing.draw()
end

local function frame_ns(thing)
  local clock = love.timer.getTime
  thing.move()
  local from = clock()
  draw(thing)
  love.graphics.present()
  finish()
  return (clock() - from) * 1e9
end

local function lit(thing)
  draw(thing)
  love.graphics.flushBatch()
  local pixels = ffi.new("uint8_t[?]", width * height * 4)
  read_pixels(0, 0, width, height, 0x1908, 0x1401, pixels) -- GL_RGBA, GL_UNSIGNED_BYTE
  local count = 0
  for i = 0, width * height * 4 - 4, 4 do
    if pixels[i] >= lit_from or pixels[i + 1] >= lit_from or pixels[i + 2] >= lit_from then count = count + 1 end
  end
  love.graphics.present()
  return count / (width * height)
end

function love.run()
  io.stdout:setvbuf("line")
  glow = make_glow()
  local major, minor = love.getVersion()
  local name, version, _, device = love.graphics.getRendererInfo()
  print(string.format("ready %d.%d %s, %s %s", major, minor, device, name, version))
  for line in io.lines() do
    local word, kind, rest = line:match("^(%a+) (%a+) ?(.*)$")
    if word == "make" then
      local count, diameter = rest:match("^(%d+) (%S+)$")
      things[kind] = nil
      collectgarbage()
      things[kind] = makers[kind](tonumber(count), tonumber(diameter))
      print("made " .. things[kind].count)
    elseif word == "frame" then
      print(string.format("%.0f", frame_ns(things[kind])))
    elseif word == "lit" then
      print(string.format("%.4f", lit(things[kind])))
    else
      print("unknown request")
    end
  end
  return function() return 0 end
end
