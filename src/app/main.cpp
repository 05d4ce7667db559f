#include "app/program.hpp"

int main(int argc, char** argv) { return spellpool::app::run_program(argc, argv); }
