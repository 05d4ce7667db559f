#pragma once
// The OpenGL loader. Included by this room's .cpp files only, so that no other room sees GL.
// Calls stay in the common part of OpenGL 3.3 and WebGL 2.
#include <epoxy/gl.h>
