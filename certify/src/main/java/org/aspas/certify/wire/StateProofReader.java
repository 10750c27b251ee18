package org.aspas.certify.wire;

import org.aspas.certify.state.PageProof;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateProof;

/** Reads what {@link StateProofWriter} writes. */
final class StateProofReader {
    private final CborReader in;
    private final MessageReader messages;

    StateProofReader(CborReader in, MessageReader messages) {
        this.in = in;
        this.messages = messages;
    }

    ObjectProof objectProof() throws Malformed {
        return messages.array(() ->
                new ObjectProof(messages.optional(in::text), messages.optional(this::elementsProof), stateProof()));
    }

    private ElementsProof elementsProof() throws Malformed {
        return messages.array(
                () -> new ElementsProof(in.natural(), in.hash(), pageProof(), in.list(Integer.MAX_VALUE, in::value)));
    }

    PageProof pageProof() throws Malformed {
        return messages.array(() -> new PageProof(
                (int) in.upTo(PageProof.MAX_BITS), in.hashes(PageProof.MAX_BITS), messages.optional(this::stateLeaf)));
    }

    private StateProof stateProof() throws Malformed {
        return messages.array(
                () -> new StateProof(in.hashes(StateProof.MAX_DEPTH), messages.optional(this::stateLeaf)));
    }

    private StateLeaf stateLeaf() throws Malformed {
        return messages.array(() -> new StateLeaf(in.hash(), in.hash()));
    }
}
