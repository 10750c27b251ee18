package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreePage;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.value.Value;

/** State trees, their leaves and their proofs (docs/formats.md §5 and §6). */
final class StateVectors {
    private static final int PAGE = 4;

    private final VectorState state = VectorWorld.WORLD.state;

    private StateVectors() {}

    static ObjectNode make() {
        StateVectors vectors = new StateVectors();
        ObjectNode out = VectorJson.object();
        out.set("leaves", vectors.leaves().list());
        out.set("trees", vectors.trees().list());
        out.set("paths", vectors.paths().list());
        out.set("pages", vectors.pages().list());
        return out;
    }

    private VectorCases leaves() {
        VectorCases cases = new VectorCases();
        cases.valid("an object of a type without elements")
                .put("key", "c")
                .put("type", "pn-counter")
                .put("value", VectorJson.hex(Value.of(5)))
                .put("path", StateTree.objectPath("c").toString())
                .put("leaf", StateLeaves.object("c", "pn-counter", Value.of(5)).toString());
        cases.valid("an object of a type with elements")
                .put("key", "s")
                .put("type", "aw-set")
                .put("size", String.valueOf(VectorWorld.ELEMENTS))
                .put("root", state.elements.root().toString())
                .put("path", StateTree.objectPath("s").toString())
                .put(
                        "leaf",
                        state.tree.get(StateTree.objectPath("s")).orElseThrow().toString());
        Value element = VectorWorld.element(VectorWorld.ELEMENTS - 1);
        cases.valid("an element with a short state")
                .put("element", VectorJson.hex(element))
                .put(
                        "state",
                        VectorJson.hex(
                                Optional.ofNullable(state.states.get(element)).orElseThrow()))
                .put("path", StateLeaves.elementPath(element).toString())
                .put(
                        "leaf",
                        state.elements
                                .get(StateLeaves.elementPath(element))
                                .orElseThrow()
                                .toString());
        List<Value> many = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            many.add(Value.sequence(List.of(Value.of(i), Value.of(1))));
        }
        Value state12 = Value.sequence(many);
        cases.valid("an element with a long state")
                .put("element", VectorJson.hex(Value.of(1)))
                .put("state", VectorJson.hex(state12))
                .put("path", StateLeaves.elementPath(Value.of(1)).toString())
                .put(
                        "leaf",
                        StateLeaves.element(Value.of(1), StateLeaves.shortForm(state12))
                                .toString());
        client(cases.valid("a client"));
        return cases;
    }

    private void client(ObjectNode out) {
        VectorWorld world = VectorWorld.WORLD;
        Hash path = StateTree.clientPath(world.clientId.toBytes());
        List<Counted> counted = state.counted(VectorWorld.ALL - 1);
        out.put("client", VectorJson.hex(world.clientId.toBytes()))
                .put("session", "1")
                .put("tolerance", "8")
                .put("fullBytes", String.valueOf(VectorState.FULL))
                .put("rest", VectorJson.hex(new byte[] {VectorState.REST}));
        ObjectNode block = out.putArray("blocks").addObject();
        var list = block.putArray("counted");
        for (Counted one : counted) {
            ObjectNode item = list.addObject().put("number", String.valueOf(one.number()));
            item.putArray("dot")
                    .add(String.valueOf(one.dot().origin()))
                    .add(String.valueOf(one.dot().sequence()));
            item.put("identity", one.identity().toString());
        }
        block.put("hash", StateLeaves.countedBlock(counted).toString());
        out.put("path", path.toString())
                .put("leaf", state.tree.get(path).orElseThrow().toString());
    }

    private VectorCases trees() {
        VectorCases cases = new VectorCases();
        tree(cases, "no leaf", StateTree.empty());
        tree(cases, "the state at certificate 1", state.first);
        tree(cases, "the state at certificate 2", state.tree);
        tree(cases, "the elements of s", state.elements);
        byte[] neighbour = new byte[Hash.LENGTH];
        neighbour[Hash.LENGTH - 1] = 1;
        tree(
                cases,
                "two leaves that differ in their last bit",
                StateTree.empty().put(Hash.ZERO, Hash.sha256(new byte[0])).put(Hash.of(neighbour), Hash.ZERO));
        return cases;
    }

    private static void tree(VectorCases cases, String name, StateTree tree) {
        ObjectNode out = cases.valid(name).put("root", tree.root().toString());
        var leaves = out.putArray("leaves");
        tree.page(Hash.ZERO, fits -> true).leaves().forEach(leaf -> leaves.add(VectorJson.leaf(StateLeaf.of(leaf))));
    }

    private VectorCases paths() {
        VectorCases cases = new VectorCases();
        Hash root = state.tree.root();
        for (String key : List.of("c", "s", "t")) {
            Hash path = StateTree.objectPath(key);
            present(
                    cases.valid("presence of " + key),
                    root,
                    path,
                    state.tree.get(path).orElseThrow(),
                    state.tree.prove(path));
        }
        Hash c = StateTree.objectPath("c");
        for (int i = 0; i < 4; i++) {
            Hash path = StateTree.objectPath("absent " + i);
            absent(cases.valid("absence of absent " + i), root, path, state.tree.prove(path));
        }
        absent(
                cases.valid("absence in an empty tree"),
                Hash.ZERO,
                c,
                StateTree.empty().prove(c));
        StateProof proof = state.tree.prove(c);
        Hash leaf = state.tree.get(c).orElseThrow();
        present(
                cases.invalid("presence of another value", "the terminal has another value"),
                root,
                c,
                Hash.ZERO,
                proof);
        present(
                cases.invalid("presence under another root", "the root is not recomputed"),
                state.first.root(),
                c,
                leaf,
                proof);
        present(
                cases.invalid("presence at another path", "the terminal is another leaf"),
                root,
                StateTree.objectPath("s"),
                leaf,
                proof);
        absent(cases.invalid("absence of what is there", "the terminal is at the path"), root, c, proof);
        absent(
                cases.invalid("absence by a leaf of another subtree", "the terminal's path has other first bits"),
                root,
                other(c, proof.siblings().size()),
                proof);
        absent(
                cases.invalid("absence with no terminal where a leaf is", "the root is not recomputed"),
                root,
                c,
                new StateProof(proof.siblings(), null));
        return cases;
    }

    /** A path that leaves that of a leaf within its siblings. */
    private static Hash other(Hash path, int siblings) {
        byte[] bytes = path.toBytes();
        bytes[(siblings - 1) >> 3] ^= (byte) (0x80 >>> ((siblings - 1) & 7));
        return Hash.of(bytes);
    }

    private static void present(ObjectNode out, Hash root, Hash path, Hash value, StateProof proof) {
        out.put("proves", "presence")
                .put("root", root.toString())
                .put("path", path.toString())
                .put("value", value.toString())
                .set("proof", VectorJson.stateProof(proof));
    }

    private static void absent(ObjectNode out, Hash root, Hash path, StateProof proof) {
        out.put("proves", "absence")
                .put("root", root.toString())
                .put("path", path.toString())
                .set("proof", VectorJson.stateProof(proof));
    }

    private VectorCases pages() {
        VectorCases cases = new VectorCases();
        Hash from = Hash.ZERO;
        for (int page = 1; ; page++) {
            TreePage found = state.elements.page(from, leaves -> leaves.count() <= PAGE);
            Optional<Hash> next = found.proof().next(from);
            page(cases.valid("page " + page), from, leaves(found), found.proof(), next);
            if (next.isEmpty()) {
                break;
            }
            from = next.get();
        }
        TreePage whole = state.elements.page(Hash.ZERO, leaves -> true);
        page(cases.valid("the whole tree"), Hash.ZERO, leaves(whole), whole.proof(), Optional.empty());
        page(
                cases.invalid("the whole tree without a leaf", "the root is not recomputed"),
                Hash.ZERO,
                leaves(whole).subList(1, VectorWorld.ELEMENTS),
                whole.proof(),
                Optional.empty());
        TreePage first = state.elements.page(Hash.ZERO, leaves -> leaves.count() <= PAGE);
        page(
                cases.invalid("the first page elsewhere", "the first bits of the leaves' paths are others"),
                first.proof().next(Hash.ZERO).orElseThrow(),
                leaves(first),
                first.proof(),
                Optional.empty());
        List<StateLeaf> twice = new ArrayList<>(leaves(first));
        twice.add(twice.get(0));
        page(
                cases.invalid("a leaf twice", "no path is given twice"),
                Hash.ZERO,
                twice,
                first.proof(),
                Optional.empty());
        page(
                cases.invalid("more bits than siblings, with several leaves", "the subtree would have one leaf"),
                Hash.ZERO,
                leaves(first),
                new PageProof(first.proof().bits() + 1, first.proof().siblings(), null),
                Optional.empty());
        return cases;
    }

    private static List<StateLeaf> leaves(TreePage page) {
        return page.leaves().stream().map(StateLeaf::of).toList();
    }

    private static void page(ObjectNode out, Hash from, List<StateLeaf> leaves, PageProof proof, Optional<Hash> next) {
        out.put("root", VectorWorld.WORLD.state.elements.root().toString()).put("from", from.toString());
        var list = out.putArray("leaves");
        leaves.forEach(leaf -> list.add(VectorJson.leaf(leaf)));
        out.set("proof", VectorJson.page(proof));
        if (out.path("valid").booleanValue()) {
            out.put("next", next.map(Hash::toString).orElse(null));
        }
    }
}
