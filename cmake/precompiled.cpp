// Empty: it makes a target that precompiled.hpp is compiled for.
