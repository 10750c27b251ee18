package org.aspas.certify.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

/** A branch is the log that has the kept leaves and the others, for every size. */
class MerkleBranchTest {
    private static final int LARGEST = 35;

    private static byte[] entry(String branch, long index) {
        return (branch + index).getBytes(StandardCharsets.UTF_8);
    }

    private static MerkleLog log(String branch, long kept, long size) {
        MerkleLog log = new MerkleLog();
        for (long index = 0; index < size; index++) {
            log.append(entry(index < kept ? "trunk" : branch, index));
        }
        return log;
    }

    private static List<Hash> leaves(String branch, long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(index -> MerkleTree.leafHash(entry(branch, index)))
                .toList();
    }

    @Test
    void aBranchIsTheLogWithItsLeaves() {
        MerkleLog trunk = log("trunk", LARGEST, LARGEST);
        for (long kept = 0; kept <= LARGEST; kept++) {
            for (long size = kept; size <= LARGEST; size++) {
                MerkleLog whole = log("branch", kept, size);
                MerkleBranch branch = new MerkleBranch(trunk, kept, leaves("branch", kept, size));
                assertEquals(whole.size(), branch.size());
                assertEquals(whole.root(), branch.root(), kept + " of " + size);
                for (long index = 0; index < size; index++) {
                    InclusionProof proof = branch.proveInclusion(index);
                    assertEquals(whole.proveInclusion(index, size), proof);
                    assertTrue(proof.verifies(branch.leaf(index), whole.root()));
                }
            }
        }
        assertThrows(IndexOutOfBoundsException.class, () -> new MerkleBranch(trunk, LARGEST + 1, List.of()));
        assertThrows(IndexOutOfBoundsException.class, () -> new MerkleBranch(trunk, 1, List.of()).leaf(1));
    }

    @Test
    void aTruncatedLogIsTheShorterLogAndGrowsOtherwise() {
        for (long kept = 0; kept <= LARGEST; kept++) {
            MerkleLog log = log("trunk", LARGEST, LARGEST);
            log.truncate(kept);
            assertEquals(log("trunk", kept, kept).root(), log.root());
            leaves("branch", kept, LARGEST).forEach(log::append);
            assertEquals(log("branch", kept, LARGEST).root(), log.root());
            assertEquals(
                    log("branch", kept, LARGEST).proveConsistency(kept, LARGEST), log.proveConsistency(kept, LARGEST));
        }
    }
}
