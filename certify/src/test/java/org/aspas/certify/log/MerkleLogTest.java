package org.aspas.certify.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

class MerkleLogTest {
    private static final List<String> PUBLIC_ENTRIES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    /** The published Certificate Transparency roots for sizes 0 to 8. */
    private static final List<String> PUBLIC_ROOTS = List.of(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    private static final int LARGEST = 130;

    private static MerkleLog publicLog() {
        MerkleLog log = new MerkleLog();
        PUBLIC_ENTRIES.forEach(hex -> log.append(HexFormat.of().parseHex(hex)));
        return log;
    }

    private static List<String> hex(List<Hash> hashes) {
        return hashes.stream().map(Hash::toString).toList();
    }

    @Test
    void rootsAreThePublishedOnes() {
        MerkleLog log = publicLog();
        for (int size = 0; size <= 8; size++) {
            assertEquals(PUBLIC_ROOTS.get(size), log.rootAt(size).toString(), "size " + size);
        }
    }

    @Test
    void consistencyProofsAreThePublishedOnes() {
        MerkleLog log = publicLog();
        assertEquals(
                List.of(
                        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"),
                hex(log.proveConsistency(2, 5).path()));
        assertEquals(
                List.of(
                        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
                        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
                hex(log.proveConsistency(6, 7).path()));
    }

    @Test
    void rootsAndInclusionProofsAreThoseOfTheDefinitionAtEverySize() {
        List<byte[]> entries = NaiveMerkle.entries(LARGEST);
        MerkleLog log = new MerkleLog();
        entries.forEach(log::append);
        for (int size = 0; size <= LARGEST; size++) {
            List<byte[]> prefix = entries.subList(0, size);
            Hash root = NaiveMerkle.root(prefix);
            assertEquals(root, log.rootAt(size), "size " + size);
            for (int index = 0; index < size; index++) {
                InclusionProof proof = log.proveInclusion(index, size);
                assertEquals(NaiveMerkle.path(index, prefix), proof.path(), index + " of " + size);
                assertTrue(proof.verifies(log.leaf(index), root), index + " of " + size);
            }
        }
    }

    @Test
    void consistencyProofsAreThoseOfTheDefinitionAtEveryPairOfSizes() {
        int largest = 70;
        List<byte[]> entries = NaiveMerkle.entries(largest);
        MerkleLog log = new MerkleLog();
        entries.forEach(log::append);
        for (int newSize = 0; newSize <= largest; newSize++) {
            for (int oldSize = 0; oldSize <= newSize; oldSize++) {
                ConsistencyProof proof = log.proveConsistency(oldSize, newSize);
                String sizes = oldSize + " in " + newSize;
                if (oldSize > 0) {
                    List<byte[]> prefix = entries.subList(0, newSize);
                    assertEquals(NaiveMerkle.subproof(oldSize, prefix, true), proof.path(), sizes);
                }
                assertTrue(proof.verifies(log.rootAt(oldSize), log.rootAt(newSize)), sizes);
            }
        }
    }

    @Test
    void rootAfterIsTheRootOfTheLongerLogAndChangesNothing() {
        MerkleLog whole = new MerkleLog();
        NaiveMerkle.entries(LARGEST).forEach(whole::append);
        MerkleLog log = new MerkleLog();
        for (int size = 0; size <= LARGEST; size++) {
            for (int more = 0; more <= LARGEST - size; more++) {
                List<Hash> leaves = LongStream.range(size, (long) size + more)
                        .mapToObj(whole::leaf)
                        .toList();
                assertEquals(whole.rootAt((long) size + more), log.rootAfter(leaves), size + " and " + more);
            }
            assertEquals(size, log.size());
            assertEquals(whole.rootAt(size), log.root());
            if (size < LARGEST) {
                log.append(whole.leaf(size));
            }
        }
    }

    @Test
    void whatTheLogNeverHadIsRefused() {
        MerkleLog log = publicLog();
        assertThrows(IndexOutOfBoundsException.class, () -> log.rootAt(9));
        assertThrows(IndexOutOfBoundsException.class, () -> log.rootAt(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> log.leaf(8));
        assertThrows(IndexOutOfBoundsException.class, () -> log.proveInclusion(3, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> log.proveInclusion(3, 9));
        assertThrows(IndexOutOfBoundsException.class, () -> log.proveConsistency(4, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> log.proveConsistency(4, 9));
    }
}
