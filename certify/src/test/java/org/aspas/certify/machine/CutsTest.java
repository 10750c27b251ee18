package org.aspas.certify.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

class CutsTest {
    private static final Cuts CUTS = new Cuts(List.of(new Exclusion(1, 4, Hash.ZERO), new Exclusion(9, 1, Hash.ZERO)));

    @Test
    void whatIsBeyondACutIsReadAsTheCut() {
        assertEquals(VersionVector.of(7, 4), CUTS.clip(VersionVector.of(7, 6)));
        assertEquals(VersionVector.of(7, 3), CUTS.clip(VersionVector.of(7, 3)));
        long last = SequenceNumbers.LAST_NUMBER;
        assertEquals(VersionVector.of(last, 4), CUTS.clip(VersionVector.of(last, last)));
    }

    /** Entry (1, 5) lies beyond the cut of incarnation 0, and yet does not count as that cut: it is not known what it is. */
    @Test
    void aPlaceInALaterIncarnationIsNoPlaceBeyondTheCut() {
        long later = SequenceNumbers.PER_INCARNATION + 5;
        assertEquals(VersionVector.of(7, later), CUTS.clip(VersionVector.of(7, later)));
    }
}
