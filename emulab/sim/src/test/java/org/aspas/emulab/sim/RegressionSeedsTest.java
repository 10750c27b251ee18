package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;

/** The seeds that found something, with what was wrong. */
class RegressionSeedsTest {
    /** A seed of the time before faults of disks and late parties: its run has none, so that it is the run that found it. */
    private static void holds(Settings settings) {
        Set<Fault.Kind> kinds = new TreeSet<>(settings.faults());
        kinds.retainAll(Fault.Kind.FIRST);
        keepsAllClassic(settings.withFaults(kinds, settings.faultPauseMicros()));
    }

    /** A seed whose run has every fault, of the time before clients used all operations. */
    private static void keepsAllClassic(Settings settings) {
        keepsAll(settings.withWorkload(Workload.Mix.CLASSIC));
    }

    /** A seed whose run has every fault and every operation. */
    private static void keepsAll(Settings settings) {
        assertThat(Simulation.run(settings).violations())
                .as(CampaignReport.command(settings))
                .isEmpty();
    }

    /** A bftserver that sent its share once only left everybody without a certificate when shares were lost. */
    @Test
    void sharesThatWereLostAreSentAgain() {
        holds(Settings.of(85));
    }

    /** An appserver whose clock shows a negative time never pulled what a selective origin kept from it. */
    @Test
    void pullingDoesNotNeedPositiveTime() {
        holds(Settings.of(115).withMicros(1_875_000).withRoles(List.of("selective")));
    }

    /**
     * After an exclusion servers reported the excluded origin's cut without a signed head that reaches it; the reports were
     * refused, and certification stood still.
     */
    @Test
    void reportsAfterAnExclusionAreCovered() {
        holds(Settings.of(534).withMicros(7_200_000).withRoles(List.of("wrong-values")));
        holds(Settings.of(806).withMicros(7_200_000).withRoles(List.of("wrong-stable")));
    }

    /** An answer given again to a client that had crashed came with a newer certificate than it names, and was refused. */
    @Test
    void repeatedAnswersComeWithTheCertificateThatTheyName() {
        holds(Settings.of(11).withFaultBounds(2, 1).withMicros(7_200_000).withRoles(List.of("forking")));
    }

    /** An appserver whose clock shows a negative time never repeated a verdict that the stopped cluster had not taken. */
    @Test
    void repeatingVerdictsDoesNotNeedPositiveTime() {
        holds(Settings.of(760)
                .withMicros(2_500_500)
                .withRoles(List.of("forged-requests"))
                .without(Set.of(1, 2, 3)));
    }

    /** Nobody made evidence of an answer that names another entry than the log that its server showed the others. */
    @Test
    void answersAgainstTheShownLogConvict() {
        holds(Scenarios.named("provable-lies").apply(4).withRoles(List.of("two-logs")));
    }

    /**
     * An origin put an entry that others could deliver under one head with an entry that nobody can: no signed head named
     * the first alone, so it was never reported, nor anything that depended on it, and certification stood still.
     */
    @Test
    void undeliverableEntriesDoNotHideThoseBeforeThem() {
        holds(Settings.of(75).withMicros(1_875_000).withRoles(List.of("ghost-dependencies")));
        holds(Settings.of(42).withMicros(15_000_000).withRoles(List.of("ghost-dependencies")));
    }

    /**
     * Evidence against a client went to the other appservers once: where the frame was lost, they never refused the client.
     * The same held for evidence of wrong answers, and for the verdicts on it.
     */
    @Test
    void evidenceAgainstClientsIsRepeated() {
        holds(Settings.of(1418).withMicros(10_002_000).withRoles(List.of("client-complaining")));
        holds(Settings.of(1794).withFaultBounds(2, 1).withMicros(10_002_000).withRoles(List.of("client-complaining")));
    }

    /** A false STABLE that was ordered after its round was decided convicted nobody, and a slow liar's always are. */
    @Test
    void falseStatesConvictAfterTheDecisionToo() {
        holds(Scenarios.named("provable-lies").apply(118).withRoles(List.of("wrong-stable")));
        holds(Scenarios.named("provable-lies").apply(218).withRoles(List.of("wrong-stable")));
    }

    /** A client's doubt proved a server faulty while the run was being closed, and the verdict was not waited for. */
    @Test
    void proofsThatAreFoundAtTheEndTakeTheirCourse() {
        holds(Settings.of(770).withFaultBounds(2, 1).withMicros(10_002_000).withRoles(List.of("replayed-requests")));
    }

    /**
     * A bftserver that was taught its record only after a content was ready to be signed never signed it; with another one
     * that signs wrongly, no certificate came any more.
     */
    @Test
    void whoeverIsTaughtLateSignsWhatWasReady() {
        holds(Settings.of(33330)
                .withFaultBounds(3, 1)
                .withMicros(10_002_000)
                .withRoles(List.of("replica-wrong-shares")));
        holds(Settings.of(33330)
                .withFaultBounds(3, 1)
                .withClients(1, 400_000)
                .withMicros(2_500_500)
                .withRoles(List.of("replica-wrong-shares"))
                .without(Set.of(1, 2, 3)));
    }

    /** Two servers gave their word on a wrong answer, all crashed, and nobody knew of the proof any more. */
    @Test
    void wordsOnAWrongAnswerOutliveACrashOfAllServers() {
        holds(Settings.of(37994).withMicros(10_002_000).withRoles(List.of("wrong-values")));
    }

    /** The first f+1 words on a wrong answer were one of a server just convicted, which counts no more, and none was added. */
    @Test
    void anotherWordMakesUpForThatOfAConvictedServer() {
        holds(Settings.of(54425).withFaultBounds(2, 1).withMicros(10_002_000).withRoles(List.of("wrong-values")));
    }

    /** Simulator only: after a cold start before anything was ordered, no replica found its way into the new order. */
    @Test
    void coldStartsBeforeTheFirstCommandBeginAnOrderToo() {
        holds(Settings.of(72346)
                .withMicros(10_002_000)
                .withRoles(List.of("client-flooding", "withholding-certificates", "cyclic-dependencies")));
    }

    /** Simulator only: bftservers that lost the order one after the other, while none could be taught, never began anew. */
    @Test
    void whenNobodyHoldsTheOrderAnyMoreItBeginsAnew() {
        keepsAllClassic(Settings.of(12)
                .withFaultBounds(3, 1)
                .withClients(2, 400_000)
                .withMicros(9_600_000)
                .without(Set.of(0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 25, 27)));
    }

    /** Simulator only: a bit of a record was turned in its unfinished end, which a reader cuts off. */
    @Test
    void damageOfARecordLiesInWhatIsRead() {
        keepsAll(Settings.of(300078)
                .withFaultBounds(3, 1)
                .withMicros(10_002_000)
                .withRoles(List.of(
                        "withholding-certificates", "heads-of-nothing", "forged-requests", "narrow-dependencies")));
    }

    /** Simulator only: all bftservers crashed, the one among them that had convicted somebody, and told nobody yet. */
    @Test
    void whatOnlyCrashedBftserversKnewIsForgotten() {
        keepsAll(Settings.of(400463).withMicros(10_002_000).withRoles(List.of("two-stables")));
    }

    /** Simulator only: a live value was held against a disk from which an exclusion after it had taken entries. */
    @Test
    void liveValuesAreOfTheTimeBeforeAnExclusion() {
        keepsAll(Settings.of(400822)
                .withFaultBounds(3, 1)
                .withMicros(10_002_000)
                .withRoles(List.of("signed-forged-certificates")));
    }

    /**
     * Two updates of another type than their key's, whose numbers a server knew from another one, were given to it together:
     * it remembered only the last refusal, so that neither came again in its eyes, and the client went round for ever.
     */
    @Test
    void updatesRefusedTogetherAreEnteredWhenTheyComeAgain() {
        keepsAll(Settings.of(31).withMicros(7_200_000).withRoles(List.of("stale-certificates")));
    }

    /** A confirmation let a client that had switched go on: it submitted again what that same message confirmed. */
    @Test
    void whatTheFirstConfirmationCoversIsNotSubmittedAgain() {
        keepsAll(Settings.of(8161)
                .withFaultBounds(3, 1)
                .withWary(true)
                .withMicros(7_200_000)
                .withRoles(List.of("stale-certified-reads")));
    }

    /** Simulator only: a Byzantine bftserver read a report that a Byzantine appserver had made too short. */
    @Test
    void liarsBearWhatOtherLiarsMake() {
        keepsAll(Settings.of(410780)
                .withFaultBounds(3, 1)
                .withMicros(10_002_000)
                .withRoles(List.of("replica-impersonating", "cyclic-dependencies", "fuzzing-fields")));
    }

    /**
     * The simulator stopped a bftserver before it was taught for the first time, while another one, on an older record, was all
     * the b that may fail. A record that was never complete has to be taught by 2b+1 others, so certification stood still. The
     * run that found it is the first; the second has its faults alone.
     */
    @Test
    void aBftserverThatWasNeverTaughtCountsAmongTheFaulty() {
        keepsAll(Settings.of(508634)
                .withFaultBounds(3, 1)
                .withMicros(10_002_000)
                .withRoles(List.of("heads-of-nothing")));
        keepsAll(Settings.of(1)
                .withMicros(10_002_000)
                .withScript(List.of(
                        fault(0, Fault.Kind.DISK_OLD, 2_000, 9_600_000, 2),
                        fault(1, Fault.Kind.REPLICA_CRASH, 4_000, 4_400_000, 3))));
    }

    /** The simulator cut a text in the middle of a character, and had no bytes for it. */
    @Test
    void textsAreChangedByWholeCharacters() {
        keepsAll(Settings.of(603283).withMicros(10_002_000).withRoles(List.of("client-fuzzing-fields")));
    }

    /**
     * A cold start came while a bftserver read its record: the simulator started that one a second time a second later, and two
     * of its lives took part in two orders.
     */
    @Test
    void aBftserverThatCrashesWhileItReadsItsRecordStartsOnce() {
        keepsAll(Settings.of(600070).withMicros(10_002_000));
        keepsAll(Settings.of(600217).withMicros(10_002_000));
    }

    /**
     * All bftservers lost the statements that their records were now complete, because the order stood still when the slow disks
     * had them. That the records were not complete had come out ordered, and so they said nothing more: certification never
     * began. The run that found it is the first; the second has its fault alone.
     */
    @Test
    void bftserversRepeatThatTheirRecordsAreCompleteNow() {
        keepsAll(
                Settings.of(701949).withFaultBounds(2, 1).withMicros(10_002_000).withRoles(List.of("replaying")));
        keepsAll(Settings.of(701949)
                .withFaultBounds(2, 1)
                .withClients(1, 400_000)
                .withMicros(1_250_250)
                .without(Set.of(1, 2)));
    }

    /**
     * A partition of less than a second swallowed shares of the last certificate and broke no session: no appserver had 2b+1,
     * no question was open, and no bftserver sent its share again.
     */
    @Test
    void sharesAreRepeatedWithoutAnOpenQuestionToo() {
        keepsAll(Settings.of(709338)
                .withFaultBounds(2, 1)
                .withMicros(10_002_000)
                .withRoles(List.of("undersigned-certificates")));
    }

    /** The simulator let the records of bftservers fail that were never taught, and spared them the crash that heals this. */
    @Test
    void recordsOfBftserversThatWereNeverTaughtFailOnlyAmongTheFaulty() {
        keepsAll(Settings.of(707246).withMicros(10_002_000).withRoles(List.of("replica-wrong-shares")));
        keepsAll(Settings.of(706997).withMicros(10_002_000).withRoles(List.of("replica-two-shares")));
        keepsAll(Settings.of(707381).withMicros(10_002_000).withRoles(List.of("certificates-going-back")));
    }

    /** The simulator counted on a proof that an appserver lost in the crash at the very writing of it. */
    @Test
    void aProofThatACrashTakesAwayNeedNotConvict() {
        keepsAll(Settings.of(708320).withMicros(10_002_000).withRoles(List.of("forking")));
    }

    /**
     * A store gave back the head of a snapshot that no peer kept any more, at a time that was after the first tick of a clock with
     * negative times: the server waited for it for ever, and its clients with it.
     */
    @Test
    void theHeadOfASnapshotThatIsGoneIsGivenUp() {
        keepsAll(Settings.of(750081964).withMicros(15_000_000));
        keepsAll(Settings.of(750083721).withMicros(15_000_000).withRoles(List.of("forged-snapshots")));
    }

    /** The judge counted on a proof of a client that crashed while it was still connecting to those whom it was to show it. */
    @Test
    void aProofThatGoesWithItsClientNeedNotConvict() {
        keepsAll(stores(1858462349).withMicros(10_002_000).withRoles(List.of("undersigned-certificates")));
    }

    /** Everything that can happen to stores and records too, over the shortest retention, with wary clients. */
    private static Settings stores(long seed) {
        Set<Fault.Kind> kinds = new TreeSet<>(Fault.Kind.USUAL);
        kinds.addAll(Fault.Kind.STORES);
        return Settings.of(seed)
                .withMicros(7_200_000)
                .withFaults(kinds, 800_000)
                .withWary(true)
                .withRetained(3);
    }

    /**
     * A base was ahead of the records after a crash; what the server recorded after that followed from the base, and at the next start
     * the base was gone: the records seemed to be damaged. Now a sum says what they follow from.
     */
    @Test
    void recordsThatFollowFromABaseSaySo() {
        keepsAll(stores(2000104).withFaultBounds(2, 1));
    }

    /** A server that began with the state of the first certificate inspected an answer from before it, and looked for its entries. */
    @Test
    void whoBeganWithAStateKnowsNothingBeforeIt() {
        keepsAll(stores(2000079));
    }

    /** The judge read a disk without the base, which was ahead of the records because the disk took none of them. */
    @Test
    void whatOnlyTheBaseHoldsIsOnTheDisk() {
        keepsAll(stores(2000002).withFaultBounds(2, 1));
    }

    /** Simulator only: a copy of a client's record was one of a damaged record. */
    @Test
    void aCopyOfADamagedRecordIsOfWhatWasThereBefore() {
        keepsAll(stores(2000030).withFaultBounds(2, 1));
        keepsAll(stores(2000150).withFaultBounds(2, 1));
        keepsAll(stores(3201009).withRetained(4).withSchedule(Settings.ONE_KEY));
    }

    /** Simulator only: a base forgot the images that came while its disk was full; the newest one waits. */
    @Test
    void aBaseGoesOnWhenItsDiskTakesSomethingAgain() {
        keepsAll(stores(5000037));
    }

    /** The judge asked for a proof by two heads of which the first was forgotten with the entries under it, as it may be. */
    @Test
    void headsProveWhileTheyAreKept() {
        Settings settings = stores(3101078).withFaultBounds(2, 1).withWary(false);
        keepsAll(settings.withRoles(List.of("replayed-requests")));
    }

    /**
     * A complaint of a wrong answer came when the certificate that the answer names was forgotten: the servers that had found
     * it wrong said that they could not tell. Now they stand by it.
     */
    @Test
    void whoFoundAnAnswerWrongStandsByIt() {
        keepsAll(stores(310125)
                .withFaultBounds(2, 1)
                .withSchedule(Settings.ONE_KEY)
                .withRoles(List.of("wrong-values", "stale-certificates", "two-stables")));
    }

    /** After a restart from its base a server said for ever that it was busy: it had forgotten what an answer depends on. */
    @Test
    void whatCannotBeAnsweredAgainIsEnteredAgain() {
        keepsAll(stores(514158)
                .withWary(false)
                .withRetained(16)
                .withRoles(List.of("heads-of-nothing", "backward-dependencies")));
        keepsAll(stores(509034)
                .withWary(false)
                .withRetained(4)
                .withSchedule(Settings.ONE_KEY)
                .withRoles(List.of("stale-certified-reads")));
    }

    /** Simulator only: a server without a store was drained, and its disk was to keep a sum. */
    @Test
    void aServerWithoutAStoreEndsInOrder() {
        keepsAll(stores(509015)
                .withFaultBounds(2, 1)
                .withWary(false)
                .withRetained(4)
                .withSchedule(Settings.ONE_KEY)
                .withRoles(List.of("ghost-dependencies")));
    }

    /** The judge did not know that a client met a key of another type in the copied record that it went on from. */
    @Test
    void aCopiedRecordBringsItsKeys() {
        keepsAll(stores(3201025).withRetained(4).withSchedule(Settings.ONE_KEY));
    }

    /** Idle clients made new keys for their tags without end, each with an entry, so that what was delivered was never all certified. */
    @Test
    void idleClientsMakeNoEntries() {
        keepsAll(stores(960091)
                .withMicros(4_800_000)
                .withFaultBounds(2, 1)
                .withWary(false)
                .withRetained(4)
                .withSchedule(Settings.ONE_KEY)
                .withRoles(List.of("forgeries-tagged-for-all")));
        keepsAll(stores(960162).withMicros(4_800_000).withRetained(16).withRoles(List.of("bodyguard")));
    }

    /** A client took a confirmation of a number that was entered again, and whose answer was lost, for a wrong one. */
    @Test
    void aNewPlaceMayBeConfirmedBeforeItsAnswerComes() {
        keepsAll(stores(992795)
                .withMicros(4_800_000)
                .withWary(false)
                .withRetained(16)
                .withRoles(List.of("wrong-stable")));
    }

    /**
     * A server that came back from its base knew of a log no entry before those that were certified, and so made no proof of a badly signed
     * one some places later. The others had taken that by its tag, and certification stood still for all.
     */
    @Test
    void whoKnowsTheCertifiedEndAloneProvesWhatFollowsIt() {
        keepsAll(Settings.of(109636).withRoles(List.of("forgeries-tagged-for-all")));
    }

    /**
     * A server that had continued from an older disk and was excluded could not start any more, because its journal contradicted the
     * certified history in its base.
     */
    @Test
    void aServerThatWasExcludedForAnOlderDiskStartsAgain() {
        keepsAll(stores(452_639_247).withMicros(10_002_000).withRoles(List.of("replica-impersonating")));
    }

    /**
     * Own entries built on the branch of a fork that a snapshot replaced: the server served on, and its next answer was at a version that
     * its logs did not have.
     */
    @Test
    void whoseEntriesBuildOnABranchThatASnapshotReplacesRepairs() {
        keepsAll(Settings.of(412_313_927)
                .withMicros(10_002_000)
                .withRoles(List.of("twins", "forged-snapshots", "replica-rising-claims")));
    }

    /**
     * A server continued from an older disk, lost its base, and began its own log behind the first certificate that it knew. When a
     * snapshot replaced that log, the server looked for entries that it had never had, to take them back.
     */
    @Test
    void aSnapshotTakesNothingBackThatALogBeganAfter() {
        keepsAll(stores(1_193_291_743));
    }

    /** Three liars that answered every batch with their whole logs answered each other for ever, until the run was out of memory. */
    @Test
    void liarsDoNotAnswerEachOtherForEver() {
        Settings settings = Settings.of(644_036_995)
                .withFaultBounds(3, 1)
                .withMicros(6_000_000)
                .withRoles(List.of("copied-removals", "client-session-churn", "client-bad-tags"));
        RunResult result = Simulation.run(settings);
        assertThat(result.violations()).isEmpty();
        assertThat(result.events()).isLessThan(100_000);
    }

    private static Fault fault(int number, Fault.Kind kind, long begins, long ends, int bftserver) {
        return new Fault(
                number, kind, begins, ends, List.of(NodeId.bftserver(bftserver)), List.of(), 0, Conditions.CALM);
    }
}
