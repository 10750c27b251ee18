package org.aspas.certify.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree.KeyBytes;
import org.junit.jupiter.api.Test;

class StateTreeTest {
    /** A random path; about half of them share long prefixes with each other. */
    private static Hash path(Random random) {
        byte[] bytes = new byte[32];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        } else {
            bytes[random.nextInt(32)] = (byte) (1 << random.nextInt(8));
        }
        return Hash.of(bytes);
    }

    private static Hash value(Random random) {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Hash.of(bytes);
    }

    private static StateTree tree(Map<Hash, Hash> model) {
        return StateTree.empty().putAll(model);
    }

    private static void check(Map<Hash, Hash> model, StateTree tree, List<Hash> probes, String label) {
        Hash root = tree.root();
        assertEquals(NaiveState.root(model), root, label);
        assertEquals(model.size(), tree.size(), label);
        for (Hash path : probes) {
            Optional<Hash> value = Optional.ofNullable(model.get(path));
            StateProof proof = tree.prove(path);
            assertEquals(value, tree.get(path), label);
            assertEquals(value.isEmpty(), proof.provesAbsence(root, path), label);
            assertEquals(value.isPresent(), proof.provesPresence(root, path, value.orElse(Hash.ZERO)), label);
            assertFalse(proof.provesPresence(root, path, Hash.sha256(new byte[] {7})), label);
        }
    }

    @Test
    void aTreeOfLeavesInOrderIsTheTreeOfTheSameLeavesOneByOne() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Map<Hash, Hash> model = new TreeMap<>();
            for (int i = random.nextInt(60); i > 0; i--) {
                model.put(path(random), value(random));
            }
            List<StateLeaf> leaves = new ArrayList<>();
            model.forEach((path, value) -> leaves.add(new StateLeaf(path, value)));
            StateTree tree = StateTree.ofAscending(leaves);
            check(model, tree, List.copyOf(model.keySet()), "seed " + seed);
            Hash another = path(random);
            check(model, tree, List.of(another), "seed " + seed);
            model.put(another, value(random));
            assertEquals(
                    tree(model).root(), tree.put(another, model.get(another)).root(), "seed " + seed);
        }
    }

    @Test
    void agreesWithTheDefinitionOnRandomMaps() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Map<Hash, Hash> model = new HashMap<>();
            StateTree tree = StateTree.empty();
            List<Hash> probes = new ArrayList<>();
            int updates = random.nextInt(60);
            for (int i = 0; i < updates; i++) {
                boolean again = !probes.isEmpty() && random.nextInt(4) == 0;
                Hash path = again ? probes.get(random.nextInt(probes.size())) : path(random);
                Hash value = value(random);
                probes.add(path);
                model.put(path, value);
                tree = tree.put(path, value);
                probes.add(path(random));
                if (random.nextInt(10) == 0) {
                    check(model, tree, probes, "seed " + seed);
                }
            }
            check(model, tree, probes, "seed " + seed);
        }
    }

    @Test
    void theRootDoesNotDependOnTheOrder() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Map<Hash, Hash> model = new HashMap<>();
            for (int i = 0; i < 40; i++) {
                model.put(path(random), value(random));
            }
            List<Hash> order = new ArrayList<>(model.keySet());
            Collections.shuffle(order, random);
            StateTree tree = StateTree.empty();
            for (Hash path : order) {
                tree = tree.put(path, Hash.ZERO);
            }
            Collections.shuffle(order, random);
            for (Hash path : order) {
                tree = tree.put(path, model.getOrDefault(path, Hash.ZERO));
            }
            assertEquals(tree(model).root(), tree.root(), "seed " + seed);
        }
    }

    @Test
    void pathsThatDifferOnlyInTheLastBitAreKeptApart() {
        byte[] last = new byte[32];
        last[31] = 1;
        Hash first = Hash.ZERO;
        Hash second = Hash.of(last);
        byte[] near = new byte[32];
        near[31] = 2;
        Map<Hash, Hash> model = Map.of(first, Hash.sha256(new byte[] {1}), second, Hash.sha256(new byte[] {2}));
        StateTree tree = tree(model);
        check(model, tree, List.of(first, second, Hash.of(near)), "last bit");
        assertEquals(256, tree.prove(first).siblings().size());
        assertEquals(255, tree.prove(Hash.of(near)).siblings().size());
    }

    @Test
    void anOlderTreeIsNotChangedByAnUpdate() {
        StateTree older = StateTree.empty().put(StateTree.objectPath("a"), Hash.sha256(new byte[] {1}));
        Hash root = older.root();
        StateTree newer = older.put(StateTree.objectPath("a"), Hash.sha256(new byte[] {2}));
        assertNotEquals(root, newer.root());
        assertEquals(root, older.root());
        assertEquals(1, newer.size());
        assertSame(older, older.put(StateTree.objectPath("a"), Hash.sha256(new byte[] {1})));
    }

    @Test
    void theEmptyTreeHasTheZeroRootAndProvesEveryAbsence() {
        assertEquals(Hash.ZERO, StateTree.empty().root());
        assertTrue(StateTree.empty().prove(Hash.ZERO).provesAbsence(Hash.ZERO, StateTree.objectPath("any")));
    }

    @Test
    void keysHaveTheBytesOfUtf8() {
        String every = "a\u007f\u0080\u07ff\u0800\uffff\ud83d\ude00\udbff\udfff\u0000";
        byte[] wellFormed = every.getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(wellFormed, KeyBytes.of(every));
        HexFormat hex = HexFormat.of();
        assertEquals(hex.formatHex(wellFormed) + "eda080", hex.formatHex(KeyBytes.of(every + "\ud800")));
        assertNotEquals(StateTree.objectPath("\ud800"), StateTree.objectPath("\ud801"));
        assertNotEquals(StateTree.objectPath("\ud800"), StateTree.objectPath("?"));
        byte[] tagged = "aspas/v1/object-path\0key".getBytes(StandardCharsets.UTF_8);
        assertEquals(Hash.sha256(tagged), StateTree.objectPath("key"));
        byte[] client = "aspas/v1/client-path\0id".getBytes(StandardCharsets.UTF_8);
        assertEquals(Hash.sha256(client), StateTree.clientPath("id".getBytes(StandardCharsets.UTF_8)));
    }
}
