# The program for the browser, four times from the same objects: spellpool_page for pages and their workers, spellpool_emmalloc and
# spellpool_mimalloc for comparisons of allocators in workers, and spellpool_node for a terminal (node spellpool_node.js --headless …),
# which has the machine's files and no window.
function(spellpool_web_program name)
  add_executable(${name} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_SOURCE_DIR}/app/main.cpp)
  target_link_libraries(${name} PRIVATE spellpool_options spellpool::app)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_options(${name} PRIVATE -O2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sSTACK_SIZE=2MB -sFORCE_FILESYSTEM=1 ${ARGN})
endfunction()

spellpool_web_program(spellpool_node -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1)
# web/page/page.js starts it by createSpellpool() and callMain(); settings, scores and recordings are kept by IDBFS.
spellpool_web_program(spellpool_page -sENVIRONMENT=web,worker -sMODULARIZE=1 -sEXPORT_NAME=createSpellpool -sEXIT_RUNTIME=0 -sINVOKE_RUN=0
  -lidbfs.js -sEXPORTED_RUNTIME_METHODS=callMain,FS,IDBFS,HEAP8)
set_target_properties(spellpool_page PROPERTIES OUTPUT_NAME spellpool)
add_custom_target(spellpool_pages DEPENDS spellpool_page)
foreach(allocator emmalloc mimalloc)
  spellpool_web_program(spellpool_${allocator} -sENVIRONMENT=worker -sMODULARIZE=1 -sEXPORT_NAME=createSpellpool -sEXIT_RUNTIME=0
    -sINVOKE_RUN=0 -sMALLOC=${allocator} -sEXPORTED_RUNTIME_METHODS=callMain,FS)
  add_dependencies(spellpool_pages spellpool_${allocator})
endforeach()
