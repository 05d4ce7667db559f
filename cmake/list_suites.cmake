# Run after PROGRAM is linked: writes into LIST one CTest test for each suite of a GoogleTest program, named PREFIX.SUITE. A suite
# for several types is one test; one of which every test was skipped counts as skipped.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE status TIMEOUT 60)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${status}\n${listed}")
endif()
# The lines of suites: "SUITE.", "PREFIX/SUITE." with parameters, "SUITE/TYPE.  # TypeParam = …". Those of tests are indented.
string(REGEX REPLACE "\n([A-Za-z0-9_]+)/[A-Za-z0-9_]+\\.  # TypeParam" "\n\\1/*." listed "\n${listed}")
string(REGEX MATCHALL "\n[A-Za-z0-9_/*]+\\." suites "${listed}")
list(REMOVE_DUPLICATES suites)
set(text "")
foreach(suite ${suites})
  string(REGEX REPLACE "^\n(.+)\\.$" "\\1" pattern ${suite})
  string(REPLACE "/*" "" suite ${pattern})
  string(APPEND text "add_test(${PREFIX}.${suite} \"${PROGRAM}\" --gtest_filter=${pattern}.*)\n"
    "set_tests_properties(${PREFIX}.${suite} PROPERTIES WORKING_DIRECTORY \"${FOLDER}\" TIMEOUT 300
  SKIP_REGULAR_EXPRESSION \"\\\\[  PASSED  \\\\] 0 tests\\\\.\")\n")
endforeach()
file(WRITE ${LIST} "${text}")
