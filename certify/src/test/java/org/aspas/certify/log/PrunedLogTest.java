package org.aspas.certify.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

/** A log that forgot its beginning answers what it can answer exactly as one that forgot nothing. */
final class PrunedLogTest {
    private static final int BLOCK_LEVEL = 3;
    private static final int SEEDS = 300;
    private static final int STEPS = 60;

    @Test
    void allThatIsNotForgottenIsAnsweredAsByAWholeLog() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            MerkleLog whole = new MerkleLog();
            MerkleLog pruned = new MerkleLog(BLOCK_LEVEL);
            Map<Long, LeafBlock> out = new TreeMap<>();
            long stays = 0;
            for (int step = 0; step < STEPS; step++) {
                long size = whole.size();
                switch (random.nextInt(7)) {
                    case 0 -> {
                        long edge = stays + random.nextInt((int) (size - stays) + 1);
                        moveOut(pruned, edge).forEach(block -> out.put(block.first(), block));
                        stays = edge;
                    }
                    case 1 -> pruned.forget(pruned.start() + random.nextInt((int) (stays - pruned.start()) + 1));
                    case 2 -> {
                        long kept = Math.max(stays, size - random.nextInt(5));
                        whole.truncate(kept);
                        pruned.truncate(kept);
                    }
                    case 3 -> pruned.keepBack(back(random, out));
                    default -> append(random.nextInt(9), whole, pruned);
                }
                assertTrue(pruned.start() <= stays, "seed " + seed);
                for (long first : back(random, out)) {
                    LeafBlock block = Objects.requireNonNull(out.get(first));
                    assertEquals(first + block.leaves() > pruned.start(), pruned.putBack(block), "seed " + seed);
                }
                alike(whole, pruned, random, "seed " + seed + ", step " + step);
                for (LeafBlock block : out.values()) {
                    pruned.putBack(block);
                }
                for (long place = pruned.start(); place <= whole.size(); place++) {
                    assertTrue(pruned.has(place) && (place == whole.size() || pruned.hasLeaf(place)), "all is back");
                }
                pruned.keepBack(back(random, out));
            }
        }
    }

    @Test
    void aLogThatBeginsAtItsEndTakesItsBlocksAgainByTheirRoots() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            MerkleLog whole = new MerkleLog();
            MerkleLog before = new MerkleLog(BLOCK_LEVEL);
            append(random.nextInt(200), whole, before);
            List<LeafBlock> blocks = before.blocks(0, before.size());
            before.forget(random.nextInt((int) before.size() + 1));
            BlockRoots roots = before.blockRoots(before.size());
            MerkleLog log = MerkleLog.after(whole.size(), whole.peaks(whole.size()), BLOCK_LEVEL);
            long end = log.size();

            for (int changed = 0; changed < roots.roots().size(); changed++) {
                List<Hash> wrong = new ArrayList<>(roots.roots());
                wrong.set(changed, Hash.sha256(new byte[] {1}));
                assertFalse(log.regain(new BlockRoots(roots.first(), roots.peaks(), wrong)), "seed " + seed);
            }
            assertEquals(end, log.start(), "what does not lead to the peaks changes nothing, seed " + seed);
            assertEquals(!roots.roots().isEmpty(), log.regain(roots), "seed " + seed);

            append(random.nextInt(40), whole, log);
            answersAsAWholeOne(whole, log, "before any block is back, seed " + seed);
            for (LeafBlock block : blocks) {
                assertEquals(block.first() >= log.start(), log.putBack(block), "seed " + seed);
            }
            answersAsAWholeOne(whole, log, "seed " + seed);
            for (LeafBlock block : blocks) {
                long last = block.first() + block.leaves() - 1;
                assertEquals(last >= log.start(), log.hasLeaf(last), "seed " + seed);
            }
        }
    }

    /** What a log says that it has, it answers rightly. */
    private static void answersAsAWholeOne(MerkleLog whole, MerkleLog log, String at) {
        assertEquals(whole.root(), log.root(), at);
        for (long size = Math.max(1, log.start()); size <= whole.size(); size++) {
            if (log.has(size)) {
                assertEquals(whole.rootAt(size), log.rootAt(size), at);
                assertEquals(whole.proveConsistency(size, whole.size()), log.proveConsistency(size, whole.size()), at);
                for (long leaf = log.start(); leaf < size; leaf++) {
                    if (log.hasLeaf(leaf)) {
                        assertEquals(whole.leaf(leaf), log.leaf(leaf), at);
                        assertEquals(whole.proveInclusion(leaf, size), log.proveInclusion(leaf, size), at);
                    }
                }
            }
        }
    }

    private static List<LeafBlock> moveOut(MerkleLog log, long size) {
        List<LeafBlock> out = log.blocks(0, size);
        log.moveOut(size);
        return out;
    }

    /** The first leaves of some of the blocks. */
    private static Set<Long> back(Random random, Map<Long, LeafBlock> out) {
        return out.keySet().stream().filter(any -> random.nextInt(2) == 0).collect(Collectors.toSet());
    }

    private static void append(int count, MerkleLog whole, MerkleLog pruned) {
        for (int i = 0; i < count; i++) {
            byte[] entry = {(byte) whole.size(), (byte) (whole.size() >> 8), 7};
            assertEquals(whole.append(entry), pruned.append(entry));
        }
    }

    /** Whatever a log has it answers as the whole one; the rest it refuses. */
    private static void alike(MerkleLog whole, MerkleLog pruned, Random random, String at) {
        long start = pruned.start();
        long size = whole.size();
        assertEquals(size, pruned.size(), at);
        assertEquals(whole.root(), pruned.root(), at);
        assertEquals(whole.rootAt(0), pruned.rootAt(0), at);
        assertTrue(pruned.has(size), at);
        long older = start + random.nextInt((int) (size - start) + 1);
        long newer = older + random.nextInt((int) (size - older) + 1);
        answered(pruned.has(older), at, whole, pruned, log -> log.rootAt(older));
        answered(pruned.has(older), at, whole, pruned, log -> log.peaks(older));
        boolean both = pruned.has(older) && pruned.has(newer);
        if (both) {
            assertEquals(whole.proveConsistency(older, newer), pruned.proveConsistency(older, newer), at);
        }
        for (long index = start; index < newer; index++) {
            long leaf = index;
            answered(pruned.hasLeaf(index), at, whole, pruned, log -> log.leaf(leaf));
            if (pruned.hasLeaf(index) && pruned.has(newer)) {
                assertEquals(whole.proveInclusion(index, newer), pruned.proveInclusion(index, newer), at);
            }
        }
        List<Hash> more = LongStream.range(0, random.nextInt(7))
                .mapToObj(next -> Hash.sha256(new byte[] {(byte) next}))
                .toList();
        assertEquals(whole.rootAfter(more), pruned.rootAfter(more), at);
        if (pruned.has(older)) {
            MerkleBranch branch = new MerkleBranch(pruned, older, more);
            MerkleBranch expected = new MerkleBranch(whole, older, more);
            assertEquals(expected.root(), branch.root(), at);
            for (long index = start; index < branch.size(); index++) {
                if (index >= older || pruned.hasLeaf(index)) {
                    assertEquals(expected.proveInclusion(index), branch.proveInclusion(index), at);
                }
            }
        }
    }

    private static <T> void answered(
            boolean here, String at, MerkleLog whole, MerkleLog pruned, Function<MerkleLog, T> asked) {
        if (here) {
            assertEquals(asked.apply(whole), asked.apply(pruned), at);
        } else {
            assertThrows(IndexOutOfBoundsException.class, () -> asked.apply(pruned), at);
        }
    }

    @Test
    void aLogGoesOnFromItsPeaks() {
        for (int size = 0; size < 40; size++) {
            MerkleLog whole = new MerkleLog();
            for (int i = 0; i < size; i++) {
                whole.append(new byte[] {(byte) i});
            }
            MerkleLog joined = MerkleLog.after(size, whole.peaks(size));
            assertEquals(whole.root(), joined.root());
            for (int more = 0; more < 20; more++) {
                assertEquals(whole.append(new byte[] {1, (byte) more}), joined.append(new byte[] {1, (byte) more}));
                alike(whole, joined, new Random(more), size + " and " + more);
            }
        }
    }

    @Test
    void whatIsForgottenIsRefused() {
        MerkleLog log = new MerkleLog(BLOCK_LEVEL);
        NaiveMerkle.entries(50).forEach(log::append);
        moveOut(log, 45).forEach(log::putBack);
        log.forget(21);
        assertEquals(21, log.start());
        assertThrows(IndexOutOfBoundsException.class, () -> log.leaf(20));
        assertThrows(IndexOutOfBoundsException.class, () -> log.proveInclusion(20, 50));
        assertThrows(IndexOutOfBoundsException.class, () -> log.rootAt(20));
        assertThrows(IndexOutOfBoundsException.class, () -> log.proveConsistency(20, 50));
        assertThrows(IndexOutOfBoundsException.class, () -> log.peaks(20));
        assertThrows(IndexOutOfBoundsException.class, () -> log.truncate(39));
        assertThrows(IndexOutOfBoundsException.class, () -> log.forget(51));
        assertThrows(IndexOutOfBoundsException.class, () -> log.moveOut(51));
        List<Hash> tooFew = List.of(Hash.ZERO);
        assertThrows(IllegalArgumentException.class, () -> MerkleLog.after(3, tooFew));
    }

    @Test
    void ofABlockThatIsMovedOutTwoHashesStay() {
        MerkleLog log = new MerkleLog(BLOCK_LEVEL);
        NaiveMerkle.entries(100).forEach(log::append);
        List<LeafBlock> out = moveOut(log, 99);
        assertEquals(12, out.size());
        // The four leaves after them with their three nodes, and the nodes over blocks: 12, 6, 3 and 1.
        assertEquals((7 + 12 + 6 + 3 + 1) * Hash.LENGTH, log.bytes());
        assertTrue(log.putBack(out.get(11)));
        assertEquals((8 + 7 + 12 + 6 + 3 + 1) * Hash.LENGTH, log.bytes());
        log.forget(95);
        // One block, the four and three, and of the levels of blocks what lies behind the peaks there.
        assertEquals((8 + 7 + 2 + 2 + 1 + 1) * Hash.LENGTH, log.bytes());
        log.forget(97);
        // The peaks are over 64 and 32 leaves and one leaf; the leaves after it with their two nodes.
        assertEquals((2 + 4 + 3) * Hash.LENGTH, log.bytes());
    }

    @Test
    void aBlockThatIsNotOneOfTheLogIsRefused() {
        MerkleLog log = new MerkleLog(BLOCK_LEVEL);
        NaiveMerkle.entries(100).forEach(log::append);
        List<LeafBlock> out = moveOut(log, 60);
        byte[] changed = out.get(2).hashes();
        changed[5] ^= 1;
        assertFalse(log.putBack(new LeafBlock(16, changed)), "one bit is another");
        assertFalse(log.putBack(new LeafBlock(8, out.get(2).hashes())), "another place");
        assertFalse(log.putBack(new LeafBlock(17, out.get(2).hashes())), "no place of a block");
        assertFalse(log.putBack(new LeafBlock(-8, out.get(2).hashes())), "before the beginning");
        assertFalse(log.putBack(new LeafBlock(56, out.get(2).hashes())), "it was not moved out");
        assertFalse(log.putBack(new LeafBlock(16, Arrays.copyOf(out.get(2).hashes(), 128))), "half of it");
        assertFalse(log.has(17));
        assertFalse(log.hasLeaf(16));
        assertTrue(log.putBack(out.get(2)));
        assertTrue(log.has(17) && log.hasLeaf(16) && !log.has(15) && !log.hasLeaf(24) && log.has(24));
        log.keepBack(List.of());
        assertFalse(log.has(17));
        log.forget(24);
        assertFalse(log.putBack(out.get(2)), "it is forgotten");
        assertThrows(IllegalArgumentException.class, () -> new LeafBlock(0, new byte[33]));
        assertThrows(IllegalArgumentException.class, () -> new LeafBlock(0, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new LeafBlock(0, new byte[96]));
    }
}
