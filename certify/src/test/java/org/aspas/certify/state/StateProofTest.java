package org.aspas.certify.state;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.junit.jupiter.api.Test;

/** Proofs that were changed anywhere prove nothing, and none makes verification throw. */
class StateProofTest {
    private static final Hash STRANGE = Hash.sha256(new byte[] {42});

    private static Hash value(int i) {
        return Hash.sha256(new byte[] {(byte) i});
    }

    private static StateTree tree(int size) {
        StateTree tree = StateTree.empty();
        for (int i = 0; i < size; i++) {
            tree = tree.put(StateTree.objectPath("key " + i), value(i));
        }
        return tree;
    }

    private static Hash flipped(Hash hash, int bit) {
        byte[] bytes = hash.toBytes();
        bytes[bit / 8] ^= (byte) (1 << (bit % 8));
        return Hash.of(bytes);
    }

    /** All proofs with one bit of a sibling changed, a sibling dropped or added, or the terminal changed. */
    private static List<StateProof> changed(StateProof proof) {
        List<StateProof> all = new ArrayList<>();
        List<Hash> siblings = proof.siblings();
        StateLeaf leaf = proof.terminal();
        for (int i = 0; i <= siblings.size(); i++) {
            List<Hash> added = new ArrayList<>(siblings);
            added.add(i, STRANGE);
            all.add(new StateProof(added, leaf));
        }
        for (int i = 0; i < siblings.size(); i++) {
            List<Hash> dropped = new ArrayList<>(siblings);
            dropped.remove(i);
            all.add(new StateProof(dropped, leaf));
            for (int bit = 0; bit < 256; bit++) {
                List<Hash> other = new ArrayList<>(siblings);
                other.set(i, flipped(siblings.get(i), bit));
                all.add(new StateProof(other, leaf));
            }
        }
        if (leaf == null) {
            all.add(new StateProof(siblings, new StateLeaf(STRANGE, STRANGE)));
            return all;
        }
        all.add(new StateProof(siblings, null));
        for (int bit = 0; bit < 256; bit++) {
            all.add(new StateProof(siblings, new StateLeaf(flipped(leaf.path(), bit), leaf.value())));
            all.add(new StateProof(siblings, new StateLeaf(leaf.path(), flipped(leaf.value(), bit))));
        }
        return all;
    }

    private static void checkChanges(StateProof proof, Predicate<StateProof> proves) {
        assertTrue(proves.test(proof));
        for (StateProof other : changed(proof)) {
            assertFalse(proves.test(other));
        }
    }

    @Test
    void changedProofsAreRefused() {
        for (int size = 0; size <= 40; size++) {
            StateTree tree = tree(size);
            Hash root = tree.root();
            for (int i = 0; i < 2 * size + 1; i++) {
                Hash path = StateTree.objectPath("key " + i);
                Hash value = value(i);
                StateProof proof = tree.prove(path);
                if (i < size) {
                    checkChanges(proof, p -> p.provesPresence(root, path, value));
                    assertFalse(changed(proof).stream().anyMatch(p -> p.provesAbsence(root, path)));
                } else {
                    checkChanges(proof, p -> p.provesAbsence(root, path));
                    assertFalse(changed(proof).stream().anyMatch(p -> p.provesPresence(root, path, value)));
                }
            }
        }
    }

    @Test
    void aProofIsAboutOneRootAndOnePath() {
        StateTree tree = tree(20);
        Hash path = StateTree.objectPath("key 3");
        StateProof proof = tree.prove(path);
        for (int bit = 0; bit < 256; bit++) {
            assertFalse(proof.provesPresence(flipped(tree.root(), bit), path, value(3)));
            assertFalse(proof.provesPresence(tree.root(), flipped(path, bit), value(3)));
            assertFalse(proof.provesPresence(tree.root(), path, flipped(value(3), bit)));
        }
    }

    @Test
    void theLeafOfAnotherPartOfTheTreeProvesNoAbsence() {
        StateTree tree = tree(20);
        StateProof elsewhere = tree.prove(StateTree.objectPath("key 3"));
        for (int i = 0; i < 20; i++) {
            assertFalse(elsewhere.provesAbsence(tree.root(), StateTree.objectPath("key " + i)));
        }
    }

    @Test
    void proofsThatAreTooDeepAreRefusedWithoutThrowing() {
        for (int depth : new int[] {0, 1, 255, 256, 257, 5000}) {
            List<Hash> siblings = Collections.nCopies(depth, Hash.ZERO);
            StateLeaf leaf = new StateLeaf(STRANGE, STRANGE);
            assertFalse(new StateProof(siblings, leaf).provesPresence(STRANGE, STRANGE, STRANGE));
            assertFalse(new StateProof(siblings, leaf).provesAbsence(STRANGE, Hash.ZERO));
            assertFalse(new StateProof(siblings, leaf).provesAbsence(STRANGE, STRANGE));
            assertFalse(new StateProof(siblings, null).provesAbsence(STRANGE, STRANGE));
        }
    }
}
