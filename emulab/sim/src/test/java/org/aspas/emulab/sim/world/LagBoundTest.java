package org.aspas.emulab.sim.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.certify.identity.Quorums;
import org.aspas.certify.lag.LagStep;
import org.junit.jupiter.api.Test;

/** Worlds that are small enough to be worked out by hand; all times in their comments are one way, in milliseconds. */
class LagBoundTest {
    private static LagBound bound(String world, int f, int b) throws MalformedFileException {
        WorldMap map = WorldReader.read("hand.yaml", world, role -> false);
        return new LagBound(map, new Quorums(f, b));
    }

    @Test
    void whereTiersAreEquallyFarItIsTheFormula() throws MalformedFileException {
        String world = """
            name: even
            about: a = 10, d = 20, e = 4, c = 30.
            networks_ms: {clients_appservers: 60, appservers: 20, appservers_bftservers: 40, bftservers: 8}
            """;
        for (int faults = 1; faults <= 3; faults++) {
            LagBound bound = bound(world, faults, faults);
            assertThat(bound.answerToConfirmation(1)).isEqualTo(10_000 + 4 * 20_000 + 12 * 4_000);
            assertThat(bound.sendingToConfirmation(5, 1)).isEqualTo(2 * 30_000 + 138_000);
            assertThat(bound.steps(0))
                    .containsEntry(LagStep.ASKED, 10_000L + 2 * 20_000 + 3 * 4_000)
                    .containsEntry(LagStep.CERTIFIED, 2 * 20_000L + 9 * 4_000)
                    .containsEntry(LagStep.DECIDED, 2 * 20_000L + 3 * 4_000)
                    .containsEntry(LagStep.ACCEPTED, 3 * 4_000L)
                    .containsEntry(LagStep.COMMITTED, 3 * 4_000L)
                    .containsEntry(LagStep.SIGNED, 2 * 4_000L);
        }
    }

    /**
     * All bftservers are in A, so an order takes no time. One way from A: B 10, C 20, D 40; B to C 15, B to D 25, C to D 30.
     */
    @Test
    void theSlowestOfAQuorumOfAppserversIsWaitedFor() throws MalformedFileException {
        LagBound bound = bound("""
                name: line
                about: Appservers at four sites, the back end at the first of them.
                sites: {A: {at: [0, 0]}, B: {at: [0, 1]}, C: {at: [0, 2]}, D: {at: [0, 4]}}
                round_trips_ms:
                  A: {B: 20, C: 40, D: 80}
                  B: {C: 30, D: 50}
                  C: {D: 60}
                placement: {appservers: [A, B, C, D], bftservers: [A], clients: [A, B, C, D]}
                """, 1, 1);
        // The entry is at A 0, B 10, C 20, D 40; reports are at the leader at 0, 20, 40, 80, the third at 40. Questions
        // are at
        // 40, 50, 60, 80; answers at the leader at 40, 60, 80, 120, the third at 80. The signatures are at home at
        // once.
        assertThat(bound.answerToConfirmation(0)).isEqualTo(80_000);
        // The entry is at A 40, B 25, C 30, D 0; reports are at the leader at 40, 35, 50, 40, the third at 40.
        // Questions and
        // answers as before, decided at 80. The signatures are at home 40 later.
        assertThat(bound.answerToConfirmation(3)).isEqualTo(120_000);
        assertThat(bound.steps(3)).containsEntry(LagStep.ASKED, 80_000L).containsEntry(LagStep.CERTIFIED, 40_000L);
        assertThat(bound.sendingToConfirmation(1, 3)).as("twice from B to D").isEqualTo(120_000 + 2 * 25_000);
    }

    /**
     * All appservers are with the leader. One way between bftservers: 0-1 2, 0-2 6, 0-3 20, 1-2 5, 1-3 17, 2-3 9. What the leader
     * proposes at 0 is there at 0, 2, 6, 20. The third WRITE is at 0: of 0, 4, 12, 40: 12. At 1: of 2, 2, 11, 37: 11. At 2: of 6, 7, 6,
     * 29: 7. At 3: of 20, 19, 15, 20: 20. The third ACCEPT of the order is at 0: of 12, 13, 13, 40: 13. At 1: of 14, 11, 12, 37: 14. At
     * 2: of 18, 16, 7, 29: 18. At 3: of 32, 28, 16, 20: 28.
     */
    @Test
    void theSlowestOfAQuorumOfBftserversIsWaitedFor() throws MalformedFileException {
        LagBound bound = bound("""
                name: star
                about: Appservers where the leader is, bftservers at four sites.
                sites: {A: {at: [0, 0]}, B: {at: [0, 1]}, C: {at: [0, 2]}, D: {at: [0, 4]}}
                round_trips_ms:
                  A: {B: 4, C: 12, D: 40}
                  B: {C: 10, D: 34}
                  C: {D: 18}
                placement: {appservers: [A], bftservers: [A, B, C, D], clients: [A]}
                """, 1, 1);
        // Asked at 13, 14, 18, 28, so that the second question is with the appservers at 14 + 2. They answer at once.
        // Decided at 16 + 13,
        // 14, 18, 28, the third at 34; accepted at 47, 48, 52, 62, the third at 52; committed at 65, 66, 70, 80;
        // signatures are home at
        // 65, 68, 76, 100, the third at 76.
        assertThat(bound.answerToConfirmation(2)).isEqualTo(76_000);
        assertThat(bound.steps(2))
                .containsEntry(LagStep.ASKED, 16_000L)
                .containsEntry(LagStep.DECIDED, 29_000L - 13_000)
                .containsEntry(LagStep.ACCEPTED, 47_000L - 29_000)
                .containsEntry(LagStep.COMMITTED, 65_000L - 47_000)
                .containsEntry(LagStep.CERTIFIED, 76_000L - 16_000)
                .containsEntry(LagStep.WHOLE, 76_000L);
    }

    /** The way from an appserver to the leader is 50; by the gateway next to it, it is 1 + 9. Orders take no time but to and from it. */
    @Test
    void aReportMayGoByANearerGateway() throws MalformedFileException {
        LagBound bound = bound("""
                name: detour
                about: All appservers are near one bftserver and far from the leader.
                sites: {L: {at: [0, 0]}, G: {at: [0, 1]}, X: {at: [0, 2]}}
                round_trips_ms:
                  L: {G: 18, X: 100}
                  G: {X: 2}
                placement: {appservers: [X], bftservers: [L, G, G, G], clients: [X]}
                """, 1, 1);
        // At the leader at 10. Proposed there, with 1 to 3 after 9, who write; the third WRITE, of their own and the
        // leader's, is with
        // them at 9, and with the leader at 18; the third ACCEPT with them at 9, with the leader at 18. They ask at 19,
        // at X at 20, and
        // the answers are at the leader at 30. Accepts begin with the third of 48, 39, 39, 39: at 39, and end 9 later
        // with three of
        // them: 48. So do commitments: 57. Signatures of these three are at X at 58.
        assertThat(bound.answerToConfirmation(0)).isEqualTo(58_000);
    }

    @Test
    void theShippedWorldsHaveBoundsOfTheirOwn() throws MalformedFileException {
        WorldMap paper = WorldReader.read("paper", ShippedWorlds.file("paper").orElseThrow(), role -> true);
        LagBound bound = new LagBound(paper, new Quorums(1, 1));
        for (int home = 0; home < 4; home++) {
            // a and d are 35 to 55, e is 5 and c is 35.
            assertThat(bound.answerToConfirmation(home)).isBetween(35_000L * 5 + 60_000, 55_000L * 5 + 60_000);
            assertThat(bound.sendingToConfirmation(home, home)).isEqualTo(bound.answerToConfirmation(home) + 70_000);
        }
    }
}
