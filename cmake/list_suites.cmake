# Run after PROGRAM is linked: writes into LIST one CTest test for each suite of a GoogleTest program, named PREFIX.SUITE. A suite
# for several types is one test.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE status TIMEOUT 60)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${status}\n${listed}")
endif()
# A suite of which no test ran counts as skipped. CTest asks no exit code then, and GoogleTest says "0 tests" of a suite whose
# tests failed, too: only the list of the skipped ones may follow, and how many are disabled.
set(none_ran "\\[  PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\] [^\n]+\n)*(\n  YOU HAVE [0-9]+ DISABLED TESTS?\n\n)?$")
# The lines of suites: "SUITE.", "PREFIX/SUITE." with parameters, "SUITE/TYPE.  # TypeParam = …". Those of tests are indented.
string(REGEX REPLACE "\n([A-Za-z0-9_]+)/[A-Za-z0-9_]+\\.  # TypeParam" "\n\\1/*." listed "\n${listed}")
string(REGEX MATCHALL "\n[A-Za-z0-9_/*]+\\." suites "${listed}")
list(REMOVE_DUPLICATES suites)
set(text "")
foreach(suite ${suites})
  string(REGEX REPLACE "^\n(.+)\\.$" "\\1" pattern ${suite})
  string(REPLACE "/*" "" suite ${pattern})
  string(APPEND text "add_test(${PREFIX}.${suite} [==[${PROGRAM}]==] --gtest_filter=${pattern}.*)\n"
    "set_tests_properties(${PREFIX}.${suite} PROPERTIES WORKING_DIRECTORY [==[${FOLDER}]==] SKIP_REGULAR_EXPRESSION [==[${none_ran}]==])\n")
endforeach()
file(WRITE ${LIST} "${text}")
