// The same counting operator new as in tests/pool.
#include "../pool/allocation_probe.cpp"
