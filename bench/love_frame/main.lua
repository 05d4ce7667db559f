-- LÖVE drawing whole frames of the spells scene for bench/frame_peer: love love_frame SHADER_FOLDER FORMAT FILE…, each FILE a row of
-- frames of bench_frame_peer. One line in, one line out:
--   (start)           → ready VERSION RENDERER IMAGES
--   run NUMBER        → CPU NS NS …  all frames of a file: processor time of all together, ns, then of each the time from the
--                                  end of the one before to its own; after 30 that warm up
--   shot NUMBER STEP FILE.png → shot STEP    the frame of a step, as a file
local ffi = require "ffi"
local scene = require "scene"
ffi.cdef [[
  typedef struct { uint32_t step, matter, light, figures, lights; float left, top, runes_lit, finale; } FrameHead;
  typedef struct { float x, y, previous_x, previous_y, size, angle, p0, p1, p2, r, g, b; uint32_t kind; } Figure;
]]

local function read(path)
  local file = assert(io.open(path, "rb"))
  local frames = {}
  local function data(bytes) return bytes > 0 and love.data.newByteData(file:read(bytes)) or nil end
  while true do
    local head_text = file:read(ffi.sizeof("FrameHead"))
    if not head_text then break end
    local frame = { head = ffi.new("FrameHead") }
    ffi.copy(frame.head, head_text, #head_text)
    local head = frame.head
    frame.matter, frame.light = data(16 * head.matter), data(16 * head.light)
    frame.figures = ffi.new("Figure[?]", math.max(1, head.figures))
    if head.figures > 0 then
      local text = file:read(ffi.sizeof("Figure") * head.figures)
      ffi.copy(frame.figures, text, #text)
    end
    frame.lights = data(32 * head.lights)
    frames[#frames + 1] = frame
  end
  file:close()
  return frames
end

local function run(frames)
  local clock = love.timer.getTime
  local times = {}
  for i = 1, math.min(30, #frames) do
    love.event.pump()
    scene.draw(frames[i])
    love.graphics.present()
  end
  local before, cpu_before = clock(), os.clock()
  for i, frame in ipairs(frames) do
    love.event.pump()
    scene.draw(frame)
    love.graphics.present()
    local now = clock()
    times[i] = string.format("%.0f", (now - before) * 1e9)
    before = now
  end
  return string.format("%.0f ", (os.clock() - cpu_before) * 1e9) .. table.concat(times, " ")
end

local function shot(frames, step, path)
  for _, frame in ipairs(frames) do
    if frame.head.step == step then
      local canvas = love.graphics.newCanvas(1280, 720)
      scene.draw(frame, canvas)
      local file = assert(io.open(path, "wb"))
      file:write(canvas:newImageData():encode("png"):getString())
      file:close()
      return "shot " .. step
    end
  end
  return "no such step"
end

function love.run()
  io.stdout:setvbuf("line")
  local files = {}
  local arguments = love.arg.parseGameArguments(arg)
  local most = { matter = 0, light = 0, lights = 0 }
  for i = 3, #arguments do files[#files + 1] = read(arguments[i]) end
  for _, frames in ipairs(files) do
    for _, frame in ipairs(frames) do
      for name in pairs(most) do most[name] = math.max(most[name], frame.head[name]) end
    end
  end
  scene.make(arguments[1], arguments[2], arguments[3]:match("^(.*)/") .. "/runes.floats", most)
  for _, frames in ipairs(files) do
    for _, frame in ipairs(frames) do scene.prepare(frame) end
  end
  collectgarbage()
  local major, minor = love.getVersion()
  local _, _, _, device = love.graphics.getRendererInfo()
  print(string.format("ready %d.%d, %d images, %s", major, minor, scene.image_count(), device))
  for line in io.lines() do
    local word, number, rest = line:match("^(%a+) (%d+) ?(.*)$")
    local frames = files[tonumber(number)]
    if word == "run" then
      print(run(frames))
    elseif word == "shot" then
      local step, path = rest:match("^(%d+) (.+)$")
      print(shot(frames, tonumber(step), path))
    else
      print("unknown request")
    end
  end
  return function() return 0 end
end
