# Read by CTest: the slowest tests of the rooms and their seconds, so that they start first, also where there is no record
# of an earlier run.
foreach(test
    app.SpellsWindow.EverySpellIsCastByItsKeyAndCharged/25
    app.SpellsWindow.IdlingBringsTheTitleBackAndTheGameWaits/25
    app.ShooterWindow.DyingContinuingAndFinishingByTheMouseAlone/25
    app.ShooterPad.PlaysDiesContinuesAndFinishesFromTitleToTitle/20
    app.LabWindow.ClosingTheWindowEndsTheChildWhichKeepsItsBlocks/15
    app.LabWindow.ItsKeyOpensItAComparisonRunsBesideTheGameWhichStandsStill/15
    app.ShooterWindow.AStageIsPlayedFromTitleToTitleByKeysAlone/15
    app.ShooterWindow.KeysAreChosenAndKeptAndDamagedFilesAreSetAside/10
    app.SpellsWindow.TheQuickAbEndsWithACardAndLeavesTheWorldAlone/10
    app.SpellsWindow.AChallengePlayedByHandComesIntoTheTable/10
    app.WindowProgram.AReplayIsSoughtBackAndForthAndEndsWithItsVerdict/10
    app.DrawPathsOfAGame.AStageOnLunatic/10
    app.DrawPathsOfAGame.TheStressPreset/10
    app.CompareProgram.KilledAtAnyMomentItsBlocksAreReadableAndResumeFinishesIt/8
    measure.VerdictRates.EqualArmsAreCalledDifferentInAtMostATenthOf500Trials/9
    sim.EveryFeature.HasTheSameHashesWhateverHoldsTheParticles/8
    audio.OfflineAudio.StepsGiveExactlyTheirFramesAtEveryRate/7
    render.DrawPaths.TheGardenInWindowsOfOtherShapes/6
    ui.ShooterHud.EveryScreenLiesInsideTheWindowWithWholeTextsAndNothingOverlaps/5)
  string(REGEX MATCH "^(.*)/([0-9]+)$" test "${test}")
  set_tests_properties("${CMAKE_MATCH_1}" PROPERTIES COST ${CMAKE_MATCH_2})
endforeach()
