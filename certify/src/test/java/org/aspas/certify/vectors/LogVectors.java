package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.LogRoots;

/** Leaves, roots and proofs of origin logs (docs/formats.md §4). */
final class LogVectors {
    private static final int SIZE = 13;

    private final MerkleLog log = new MerkleLog();
    private final List<byte[]> entries = new ArrayList<>();

    private LogVectors() {
        for (int i = 0; i < SIZE; i++) {
            entries.add(("entry " + i).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            log.append(entries.get(i));
        }
    }

    static ObjectNode make() {
        LogVectors vectors = new LogVectors();
        ObjectNode out = VectorJson.object();
        out.set("leaves", vectors.leaves().list());
        out.set("roots", vectors.roots().list());
        out.set("inclusion", vectors.inclusion().list());
        out.set("consistency", vectors.consistency().list());
        List<Hash> roots = List.of(vectors.log.rootAt(1), vectors.log.rootAt(2), MerkleTree.EMPTY_ROOT);
        out.putObject("logRootsDigest")
                .put("digest", LogRoots.digest(roots).toString())
                .set("roots", VectorJson.hashes(roots));
        return out;
    }

    private VectorCases leaves() {
        VectorCases cases = new VectorCases();
        for (int i = 0; i < SIZE; i++) {
            cases.valid("leaf " + i)
                    .put("entry", VectorJson.hex(entries.get(i)))
                    .put("leaf", log.leaf(i).toString());
        }
        return cases;
    }

    private VectorCases roots() {
        VectorCases cases = new VectorCases();
        for (int size = 0; size <= SIZE; size++) {
            cases.valid("of the first " + size + " leaves")
                    .put("size", String.valueOf(size))
                    .put("root", log.rootAt(size).toString());
        }
        return cases;
    }

    private VectorCases inclusion() {
        VectorCases cases = new VectorCases();
        for (int size : new int[] {1, 2, 3, 6, 7, 8, SIZE}) {
            for (int index = 0; index < size; index++) {
                fill(
                        cases.valid(index + " of " + size),
                        log.leaf(index),
                        log.rootAt(size),
                        log.proveInclusion(index, size));
            }
        }
        InclusionProof proof = log.proveInclusion(4, SIZE);
        Hash leaf = log.leaf(4);
        Hash root = log.root();
        fill(cases.invalid("another leaf", "the root is not recomputed"), log.leaf(5), root, proof);
        fill(cases.invalid("another root", "the root is not recomputed"), leaf, log.rootAt(12), proof);
        fill(
                cases.invalid("another index", "the root is not recomputed"),
                leaf,
                root,
                new InclusionProof(5, SIZE, proof.path()));
        fill(
                cases.invalid("an index that is the size", "the index is not below the size"),
                leaf,
                root,
                new InclusionProof(SIZE, SIZE, proof.path()));
        fill(
                cases.invalid("a path without its last hash", "the path is too short"),
                leaf,
                root,
                new InclusionProof(4, SIZE, proof.path().subList(0, proof.path().size() - 1)));
        List<Hash> longer = new ArrayList<>(proof.path());
        longer.add(Hash.ZERO);
        fill(
                cases.invalid("a path with one hash more", "the path is too long"),
                leaf,
                root,
                new InclusionProof(4, SIZE, longer));
        fill(
                cases.invalid("an empty tree", "the index is not below the size"),
                leaf,
                root,
                new InclusionProof(0, 0, List.of()));
        return cases;
    }

    private static void fill(ObjectNode out, Hash leaf, Hash root, InclusionProof proof) {
        out.put("leaf", leaf.toString()).put("root", root.toString()).setAll(VectorJson.inclusion(proof));
    }

    private VectorCases consistency() {
        VectorCases cases = new VectorCases();
        for (int size : new int[] {1, 2, 7, 8, SIZE}) {
            for (int old = 0; old <= size; old++) {
                fill(
                        cases.valid(old + " in " + size),
                        log.rootAt(old),
                        log.rootAt(size),
                        log.proveConsistency(old, size));
            }
        }
        ConsistencyProof proof = log.proveConsistency(6, SIZE);
        fill(cases.invalid("another old root", "the old root is not recomputed"), log.rootAt(5), log.root(), proof);
        fill(cases.invalid("another new root", "the new root is not recomputed"), log.rootAt(6), log.rootAt(12), proof);
        fill(
                cases.invalid("equal sizes with other roots", "the roots of equal sizes are equal"),
                log.rootAt(6),
                log.rootAt(5),
                new ConsistencyProof(6, 6, List.of()));
        fill(
                cases.invalid("equal sizes with a path", "equal sizes need an empty path"),
                log.rootAt(6),
                log.rootAt(6),
                new ConsistencyProof(6, 6, List.of(log.rootAt(6))));
        fill(
                cases.invalid("nothing with another root", "the root of no entries is SHA-256 of nothing"),
                Hash.ZERO,
                log.root(),
                new ConsistencyProof(0, SIZE, List.of()));
        fill(
                cases.invalid("an old size above the new one", "a log does not shrink"),
                log.root(),
                log.rootAt(6),
                new ConsistencyProof(SIZE, 6, proof.path()));
        fill(
                cases.invalid("a path without its last hash", "the path is too short"),
                log.rootAt(6),
                log.root(),
                new ConsistencyProof(
                        6, SIZE, proof.path().subList(0, proof.path().size() - 1)));
        return cases;
    }

    private static void fill(ObjectNode out, Hash oldRoot, Hash newRoot, ConsistencyProof proof) {
        out.put("oldSize", String.valueOf(proof.oldSize()))
                .put("oldRoot", oldRoot.toString())
                .put("newSize", String.valueOf(proof.newSize()))
                .put("newRoot", newRoot.toString())
                .set("path", VectorJson.hashes(proof.path()));
    }
}
