package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sizes that follow from the fault bounds. */
class QuorumsTest {
    @ParameterizedTest
    @CsvSource({"1, 4, 2, 3", "2, 7, 3, 5", "3, 10, 4, 7", "33, 100, 34, 67"})
    void table(int faults, int servers, int oneCorrect, int quorum) {
        Quorums quorums = new Quorums(faults, faults);
        assertEquals(servers, quorums.appservers());
        assertEquals(servers, quorums.bftservers());
        assertEquals(oneCorrect, quorums.oneCorrectAppserver());
        assertEquals(oneCorrect, quorums.oneCorrectBftserver());
        assertEquals(quorum, quorums.appserverQuorum());
        assertEquals(quorum, quorums.bftserverQuorum());
    }

    @Test
    void theTwoBoundsAreIndependent() {
        Quorums quorums = new Quorums(3, 1);
        assertEquals(10, quorums.appservers());
        assertEquals(7, quorums.appserverQuorum());
        assertEquals(4, quorums.bftservers());
        assertEquals(3, quorums.bftserverQuorum());
    }

    @Test
    void quorumsIntersectInACorrectServerAndNeedNoFaultyOne() {
        for (int f = 1; f <= 33; f++) {
            Quorums quorums = new Quorums(f, f);
            assertTrue(2 * quorums.appserverQuorum() - quorums.appservers() > f);
            assertTrue(quorums.appservers() - f >= quorums.appserverQuorum());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 34, Integer.MAX_VALUE})
    void boundsOutOfRange(int faults) {
        IllegalArgumentException f = assertThrows(IllegalArgumentException.class, () -> new Quorums(faults, 1));
        IllegalArgumentException b = assertThrows(IllegalArgumentException.class, () -> new Quorums(1, faults));
        assertEquals("f = " + faults + " is outside 1..33", f.getMessage());
        assertEquals("b = " + faults + " is outside 1..33", b.getMessage());
    }
}
