-- LÖVE's ParticleSystem, doing rounds for bench_particles (see bench/peer_process.hpp). One line in, one line out:
--   (start)          → ready VERSION
--   emitter TABLE    → made            TABLE is a Lua table with the emitter's numbers; the one before is dropped
--   run STEPS        → NS LIVE         time of that many ps:update(1/60), and how many particles live after them
local function make(e)
  local pixels = love.image.newImageData(8, 8)
  local ps = love.graphics.newParticleSystem(love.graphics.newImage(pixels), e.capacity)
  ps:setParticleLifetime(e.life[1], e.life[2])
  ps:setEmissionRate(e.rate)
  ps:setEmissionArea("ellipse", e.radius, e.radius)
  ps:setDirection(0)
  ps:setSpread(2 * math.pi)
  ps:setSpeed(e.speed[1], e.speed[2])
  ps:setLinearAcceleration(e.gravity[1], e.gravity[2])
  ps:setLinearDamping(e.drag)
  ps:setRotation(0, 2 * math.pi)
  ps:setSpin(-1, 1)
  ps:setSpinVariation(1)
  ps:setSizes(unpack(e.sizes))
  ps:setColors(unpack(e.colours))
  ps:start()
  return ps
end

function love.run()
  io.stdout:setvbuf("line")
  print("ready " .. string.format("%d.%d", love.getVersion()))
  local ps
  for line in io.lines() do
    local word, rest = line:match("^(%a+) (.*)$")
    if word == "emitter" then
      ps = nil
      collectgarbage()
      ps = make(loadstring("return " .. rest)())
      print("made")
    elseif word == "run" then
      local steps, clock = tonumber(rest), love.timer.getTime
      local from = clock()
      for _ = 1, steps do ps:update(1 / 60) end
      local to = clock()
      print(string.format("%.0f %d", (to - from) * 1e9, ps:getCount()))
    else
      print("unknown request")
    end
  end
  return function() return 0 end
end
