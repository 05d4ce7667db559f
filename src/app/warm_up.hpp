#pragma once
namespace spellpool::render {
class Renderer;
}

namespace spellpool::app {

/// Draws one of everything that the game can show, so that the driver compiles its shaders before the first frame and
/// not at the first vortex: no hitch, and no allocation of the driver's in a measured frame.
void warm_up(render::Renderer& renderer);

}  // namespace spellpool::app
