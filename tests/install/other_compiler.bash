# Sourced: other_compiler CXX prints the path of g++ or clang++, whichever CXX is not; nothing if it is not there.
other_compiler() {
  local other=clang++
  if "$1" --version | grep -q clang; then other=g++; fi
  command -v "$other" || true
}
