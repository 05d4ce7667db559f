-- A window is needed for a texture, and a texture for a ParticleSystem; nothing is drawn.
function love.conf(t)
  t.identity = "spellpool_bench"
  t.window.title = "Spellpool benchmark"
  t.window.width, t.window.height = 64, 64
  t.window.vsync = 0
  for _, name in ipairs { "audio", "joystick", "physics", "sound", "thread", "touch", "video" } do
    t.modules[name] = false
  end
end
