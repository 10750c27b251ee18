package org.aspas.certify.log;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

/** Proofs that were changed anywhere prove nothing, and none makes verification throw. */
class ProofRefusalTest {
    private static final int SIZE = 21;
    private static final Hash STRANGE = Hash.sha256(new byte[] {42});

    private static MerkleLog log() {
        MerkleLog log = new MerkleLog();
        NaiveMerkle.entries(SIZE).forEach(log::append);
        return log;
    }

    private static Hash flipped(Hash hash, int bit) {
        byte[] bytes = hash.toBytes();
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        return Hash.of(bytes);
    }

    /** All paths with one bit changed, one hash dropped, one added or two neighbours exchanged. */
    private static List<List<Hash>> changed(List<Hash> path) {
        List<List<Hash>> all = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            for (int bit = 0; bit < 256; bit++) {
                List<Hash> flipped = new ArrayList<>(path);
                flipped.set(i, flipped(path.get(i), bit));
                all.add(flipped);
            }
            List<Hash> dropped = new ArrayList<>(path);
            dropped.remove(i);
            all.add(dropped);
            if (i > 0) {
                List<Hash> swapped = new ArrayList<>(path);
                Collections.swap(swapped, i - 1, i);
                all.add(swapped);
            }
        }
        for (int i = 0; i <= path.size(); i++) {
            List<Hash> added = new ArrayList<>(path);
            added.add(i, STRANGE);
            all.add(added);
        }
        return all;
    }

    @Test
    void changedInclusionProofsAreRefused() {
        MerkleLog log = log();
        for (int size = 1; size <= SIZE; size++) {
            Hash root = log.rootAt(size);
            for (int index = 0; index < size; index++) {
                InclusionProof proof = log.proveInclusion(index, size);
                Hash leaf = log.leaf(index);
                for (List<Hash> path : changed(proof.path())) {
                    assertFalse(new InclusionProof(index, size, path).verifies(leaf, root));
                }
                for (int bit = 0; bit < 256; bit++) {
                    assertFalse(proof.verifies(flipped(leaf, bit), root));
                    assertFalse(proof.verifies(leaf, flipped(root, bit)));
                }
            }
        }
    }

    @Test
    void inclusionAtAnotherIndexIsRefused() {
        MerkleLog log = log();
        for (int size = 1; size <= SIZE; size++) {
            for (int index = 0; index < size; index++) {
                List<Hash> path = log.proveInclusion(index, size).path();
                for (int other = -1; other <= SIZE; other++) {
                    boolean proved = new InclusionProof(other, size, path).verifies(log.leaf(index), log.rootAt(size));
                    assertTrue(proved == (other == index), other + " for " + index + " of " + size);
                }
            }
        }
    }

    @Test
    void changedConsistencyProofsAreRefused() {
        MerkleLog log = log();
        for (int newSize = 1; newSize <= SIZE; newSize++) {
            for (int oldSize = 0; oldSize <= newSize; oldSize++) {
                Hash oldRoot = log.rootAt(oldSize);
                Hash newRoot = log.rootAt(newSize);
                ConsistencyProof proof = log.proveConsistency(oldSize, newSize);
                for (List<Hash> path : changed(proof.path())) {
                    assertFalse(new ConsistencyProof(oldSize, newSize, path).verifies(oldRoot, newRoot));
                }
                assertFalse(proof.verifies(STRANGE, newRoot));
                assertFalse(oldSize > 0 && proof.verifies(oldRoot, STRANGE));
                assertFalse(oldSize > 0 && oldSize < newSize && proof.verifies(newRoot, oldRoot));
            }
        }
    }

    @Test
    void anotherHistoryIsNotAPrefix() {
        MerkleLog log = log();
        for (int oldSize = 1; oldSize <= SIZE; oldSize++) {
            MerkleLog fork = new MerkleLog();
            for (int i = 0; i < oldSize - 1; i++) {
                fork.append(log.leaf(i));
            }
            fork.append(STRANGE);
            for (int newSize = oldSize; newSize <= SIZE; newSize++) {
                ConsistencyProof proof = log.proveConsistency(oldSize, newSize);
                assertFalse(proof.verifies(fork.root(), log.rootAt(newSize)));
            }
        }
    }

    @Test
    void absurdNumbersAndPathsAreRefusedWithoutThrowing() {
        long[] numbers = {Long.MIN_VALUE, -1, 0, 1, 2, 3, 1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE};
        for (long first : numbers) {
            for (long second : numbers) {
                for (int length : new int[] {0, 1, 2, 62, 63, 64, 65, 1000}) {
                    List<Hash> path = Collections.nCopies(length, STRANGE);
                    assertFalse(new InclusionProof(first, second, path).verifies(STRANGE, Hash.ZERO));
                    assertFalse(new ConsistencyProof(first, second, path).verifies(STRANGE, Hash.ZERO));
                }
            }
        }
    }
}
