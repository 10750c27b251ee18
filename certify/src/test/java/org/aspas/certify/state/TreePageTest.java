package org.aspas.certify.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

/** The pages of a tree have all its leaves, and a page that was changed anywhere proves nothing. */
class TreePageTest {
    private static final Hash STRANGE = Hash.sha256(new byte[] {42});

    /** A random path; about a third share long prefixes with each other. */
    private static Hash path(Random random) {
        byte[] bytes = new byte[32];
        if (random.nextInt(3) > 0) {
            random.nextBytes(bytes);
        } else {
            bytes[random.nextInt(32)] = (byte) (1 << random.nextInt(8));
        }
        return Hash.of(bytes);
    }

    private static TreeMap<Hash, Hash> model(Random random, int size) {
        TreeMap<Hash, Hash> model = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            model.put(path(random), Hash.sha256(new byte[] {(byte) random.nextInt()}));
        }
        return model;
    }

    private static List<StateLeaf> leaves(TreePage page) {
        return page.leaves().stream().map(StateLeaf::of).toList();
    }

    private static List<StateLeaf> range(TreeMap<Hash, Hash> model, Hash from, Optional<Hash> to) {
        Map<Hash, Hash> range = to.isPresent() ? model.subMap(from, to.get()) : model.tailMap(from);
        return range.entrySet().stream()
                .map(entry -> new StateLeaf(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Test
    void removedLeavesLeaveTheTreeOfTheOthers() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            TreeMap<Hash, Hash> model = model(random, random.nextInt(40));
            StateTree tree = StateTree.empty().putAll(model);
            assertSame(tree, tree.remove(STRANGE));
            List<Hash> order = new ArrayList<>(model.keySet());
            Collections.shuffle(order, random);
            for (Hash path : order) {
                if (random.nextInt(4) == 0) {
                    Hash other = path(random);
                    tree = tree.put(other, STRANGE);
                    model.put(other, STRANGE);
                }
                tree = tree.remove(path);
                model.remove(path);
                assertEquals(NaiveState.root(model), tree.root(), "seed " + seed);
                assertEquals(model.size(), tree.size());
                assertTrue(tree.prove(path).provesAbsence(tree.root(), path), "seed " + seed);
            }
        }
    }

    @Test
    void thePagesOfATreeHaveAllItsLeavesOnceInTheirOrder() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            TreeMap<Hash, Hash> model = model(random, random.nextInt(120));
            StateTree tree = StateTree.empty().putAll(model);
            int most = 1 + random.nextInt(20);
            List<StateLeaf> seen = new ArrayList<>();
            Optional<Hash> from = Optional.of(Hash.ZERO);
            while (from.isPresent()) {
                TreePage page = tree.page(from.get(), leaves -> leaves.count() <= most);
                assertTrue(page.leaves().size() <= most);
                assertTrue(page.proof().proves(tree.root(), from.get(), leaves(page)), "seed " + seed);
                assertEquals(page.proof().bits(), page.proof().siblings().size());
                seen.addAll(leaves(page));
                from = page.proof().next(from.get());
            }
            assertEquals(range(model, Hash.ZERO, Optional.empty()), seen, "seed " + seed);
        }
    }

    @Test
    void aPageFromAnywhereHasWhatIsThere() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            TreeMap<Hash, Hash> model = model(random, random.nextInt(30));
            StateTree tree = StateTree.empty().putAll(model);
            Hash from = model.isEmpty() || random.nextBoolean()
                    ? path(random)
                    : new ArrayList<>(model.keySet()).get(random.nextInt(model.size()));
            TreePage page = tree.page(from, leaves -> leaves.count() <= 3);
            assertTrue(page.proof().proves(tree.root(), from, leaves(page)), "seed " + seed);
            assertEquals(range(model, from, page.proof().next(from)), leaves(page), "seed " + seed);
        }
    }

    /** What a liar could say in place of a page. */
    private static List<TreePage> forged(TreePage page, TreeMap<Hash, Hash> model, Random random) {
        List<TreePage> all = new ArrayList<>();
        PageProof proof = page.proof();
        for (int i = 0; i < page.leaves().size(); i++) {
            TreeLeaf leaf = page.leaves().get(i);
            List<TreeLeaf> without = new ArrayList<>(page.leaves());
            without.remove(i);
            all.add(new TreePage(without, proof));
            if (without.isEmpty()) {
                all.add(new TreePage(without, new PageProof(proof.bits(), proof.siblings(), StateLeaf.of(leaf))));
            }
            without.add(i, new StateLeaf(leaf.path(), STRANGE));
            all.add(new TreePage(without, proof));
            List<TreeLeaf> twice = new ArrayList<>(page.leaves());
            twice.add(i, leaf);
            all.add(new TreePage(twice, proof));
        }
        Hash other = path(random);
        if (!model.containsKey(other)) {
            List<StateLeaf> more = new ArrayList<>(leaves(page));
            more.add(new StateLeaf(other, STRANGE));
            more.sort(Comparator.comparing(StateLeaf::path));
            all.add(new TreePage(List.copyOf(more), proof));
        }
        for (int bits : List.of(proof.bits() - 1, proof.bits() + 1, -1, 257, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
            all.add(new TreePage(page.leaves(), new PageProof(bits, proof.siblings(), proof.other())));
        }
        for (int i = 0; i < proof.siblings().size(); i++) {
            List<Hash> changed = new ArrayList<>(proof.siblings());
            changed.set(i, STRANGE);
            all.add(new TreePage(page.leaves(), new PageProof(proof.bits(), changed, proof.other())));
            changed.remove(i);
            all.add(new TreePage(page.leaves(), new PageProof(proof.bits(), changed, proof.other())));
        }
        all.add(new TreePage(page.leaves(), new PageProof(proof.bits(), Collections.nCopies(300, STRANGE), null)));
        all.add(new TreePage(List.of(), new PageProof(300, Collections.nCopies(300, STRANGE), null)));
        all.add(new TreePage(
                page.leaves(), new PageProof(proof.bits(), proof.siblings(), new StateLeaf(STRANGE, STRANGE))));
        return all;
    }

    @Test
    void aForgedPageProvesNothing() {
        int tried = 0;
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            TreeMap<Hash, Hash> model = model(random, random.nextInt(40));
            StateTree tree = StateTree.empty().putAll(model);
            Hash from = random.nextBoolean() ? Hash.ZERO : path(random);
            TreePage page = tree.page(from, leaves -> leaves.count() <= 8);
            for (TreePage lie : forged(page, model, random)) {
                boolean same = lie.proof().bits() == page.proof().bits() && lie.equals(page);
                assertFalse(
                        !same && wrong(lie, tree, model, from), "seed " + seed + ": " + lie + " in place of " + page);
                tried++;
            }
            assertFalse(page.proof().proves(STRANGE, from, leaves(page)));
        }
        assertTrue(tried > 5_000);
    }

    /** Whether a page proves something that is not so. */
    private static boolean wrong(TreePage lie, StateTree tree, TreeMap<Hash, Hash> model, Hash from) {
        return lie.proof().proves(tree.root(), from, leaves(lie))
                && !range(model, from, lie.proof().next(from)).equals(leaves(lie));
    }

    @Test
    void aPageDoesNotEndBeforeTheTreeDemandsIt() {
        StateTree tree = StateTree.empty().put(STRANGE, STRANGE);
        TreePage all = tree.page(Hash.ZERO, leaves -> true);
        assertEquals(0, all.proof().bits());
        boolean first = STRANGE.bit(0);
        PageProof less =
                new PageProof(1, List.of(), first ? StateLeaf.of(all.leaves().get(0)) : null);
        assertFalse(less.proves(tree.root(), Hash.ZERO, first ? List.of() : leaves(all)));
        byte[] half = new byte[32];
        half[0] = (byte) 0x80;
        TreePage second = tree.page(Hash.of(half), leaves -> true);
        assertTrue(second.proof().proves(tree.root(), Hash.of(half), leaves(second)));
        assertEquals(first ? 1 : 0, second.leaves().size());
    }

    /** In a tree of one leaf, which a page may have as its own, or name as the other one that stands outside. */
    @Test
    void theOnlyLeafIsNeitherHiddenNorMoved() {
        StateTree tree = StateTree.empty().put(STRANGE, STRANGE);
        TreePage own = tree.page(STRANGE, leaves -> true);
        assertTrue(own.proof().proves(tree.root(), STRANGE, leaves(own)));
        StateLeaf leaf = leaves(own).get(0);
        PageProof hiding = new PageProof(own.proof().bits(), own.proof().siblings(), leaf);
        assertFalse(hiding.proves(tree.root(), STRANGE, List.of()));

        Hash elsewhere = Hash.sha256(STRANGE.toBytes());
        TreePage none = tree.page(elsewhere, leaves -> true);
        assertTrue(none.proof().proves(tree.root(), elsewhere, List.of()));
        assertFalse(none.proof().proves(tree.root(), elsewhere, List.of(new StateLeaf(elsewhere, STRANGE))));
        PageProof all = new PageProof(0, List.of(), null);
        assertTrue(all.proves(tree.root(), Hash.ZERO, List.of(leaf)));
        assertFalse(all.proves(tree.root(), elsewhere, List.of(leaf)));
        assertFalse(all.provesOne(tree.root(), elsewhere, List.of(leaf)));
    }
}
