# cmake -DPROGRAM=… -DEXPECTED=… -P run_example.cmake: runs an example and compares what it prints.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed ERROR_VARIABLE errors RESULT_VARIABLE result)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR
    "${PROGRAM} ended with ${result} and printed\n${printed}${errors}\ninstead of\n${expected}")
endif()
