#pragma once
// The whole pool library: include this, link spellpool::pool.
#include "pool/pool.hpp"
#include "pool/stats.hpp"
#include "pool/strategy.hpp"
#include "pool/switchable_pool.hpp"
