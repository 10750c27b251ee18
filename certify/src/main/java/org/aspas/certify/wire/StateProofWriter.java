package org.aspas.certify.wire;

import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;

/** Writes proofs against roots of state trees. {@link StateProofReader} is its mirror. */
final class StateProofWriter {
    private final CborWriter out;
    private final MessageWriter messages;

    StateProofWriter(CborWriter out, MessageWriter messages) {
        this.out = out;
        this.messages = messages;
    }

    void objectProof(ObjectProof proof) {
        out.array(3);
        messages.optional(proof.type(), out::text);
        messages.optional(proof.elements(), this::elementsProof);
        stateProof(proof.path());
        out.end();
    }

    private void elementsProof(ElementsProof proof) {
        out.array(4).integer(proof.size()).hash(proof.root());
        pageProof(proof.page());
        out.list(proof.states(), out::value).end();
    }

    void pageProof(PageProof page) {
        out.array(3).integer(page.bits()).hashes(page.siblings());
        messages.optional(page.other(), this::stateLeaf);
        out.end();
    }

    private void stateProof(StateProof proof) {
        out.array(2).hashes(proof.siblings());
        messages.optional(proof.terminal(), this::stateLeaf);
        out.end();
    }

    private void stateLeaf(StateLeaf leaf) {
        out.array(2).hash(leaf.path()).hash(leaf.value()).end();
    }
}
