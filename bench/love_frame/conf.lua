function love.conf(t)
  t.identity = "spellpool_bench"
  t.window.title = "Spellpool benchmark"
  t.window.width, t.window.height = 1280, 720
  t.window.vsync = 0
  t.window.msaa = 0
  for _, name in ipairs { "audio", "joystick", "physics", "sound", "thread", "touch", "video" } do
    t.modules[name] = false
  end
end
