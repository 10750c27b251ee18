package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What must hold in every state. */
final class Properties {
    private final Steps steps;

    Properties(Steps steps) {
        this.steps = steps;
    }

    /** Which property a state breaks, and how; empty when it breaks none. */
    Optional<String> broken(State state) {
        Lexicon lexicon = steps.lexicon;
        int contents = lexicon.contentCount();
        for (int one = 0; one < contents; one++) {
            if (state.signers(one) == 0) {
                continue;
            }
            for (int other = one + 1; other < contents; other++) {
                if (lexicon.number(one) == lexicon.number(other) && state.signers(other) > 0) {
                    Optional<String> broken = conflict(state, one, other);
                    if (broken.isPresent()) {
                        return broken;
                    }
                }
            }
            Optional<String> broken = promised(state) ? unproved(state, one) : Optional.empty();
            if (broken.isPresent()) {
                return broken;
            }
        }
        return Optional.empty();
    }

    /**
     * Whether there are no more faults than b. A replica that lost its record beside the liar is one more: then no number has
     * two certificates and nobody signs twice, and that is all.
     */
    static boolean promised(State state) {
        return state.spent(State.LOST) == 0;
    }

    private Optional<String> conflict(State state, int one, int other) {
        int quorum = steps.lexicon.quorums.bftserverQuorum();
        String both = steps.lexicon.name(one) + " and " + steps.lexicon.name(other);
        if (state.signers(one) + 1 >= quorum && state.signers(other) + 1 >= quorum) {
            return Optional.of("ONE CERTIFICATE PER NUMBER: with the liar, 2b+1 signed " + both);
        }
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            if (state.signed(replica, one) && state.signed(replica, other)) {
                return Optional.of("ONE CONTENT PER SIGNER: replica " + replica + " signed " + both);
            }
        }
        return promised(state)
                ? Optional.of("ONE SIGNED CONTENT PER NUMBER: correct replicas signed " + both)
                : Optional.empty();
    }

    /**
     * Of any 2b+1 complete records, the liar's among them, which shows whatever it can prove, the highest proof is one of
     * the signed content, or of a higher number.
     */
    private Optional<String> unproved(State state, int content) {
        List<List<Word.Proof>> complete = new ArrayList<>();
        for (int node : state.replicas()) {
            if (steps.replicas.node(node).knowing()) {
                complete.add(steps.replicas.held(node));
            }
        }
        for (int one = 0; one < complete.size(); one++) {
            for (int other = one + 1; other < complete.size(); other++) {
                List<Word.Proof> shown = new ArrayList<>(steps.soups.provable(state.soup()));
                shown.addAll(complete.get(one));
                shown.addAll(complete.get(other));
                List<Word.Proof> pair = concatenated(complete.get(one), complete.get(other));
                if (!proves(pair, content) || !proves(shown, content)) {
                    return Optional.of("A SIGNED CONTENT IS PROVED: 2b+1 records, one of them the liar's, show "
                            + shown.stream().map(steps.lexicon::describe).toList() + " beside the signed "
                            + steps.lexicon.name(content));
                }
            }
        }
        return Optional.empty();
    }

    private static List<Word.Proof> concatenated(List<Word.Proof> one, List<Word.Proof> other) {
        List<Word.Proof> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    /** Whether the highest proof is one of the content, or of a higher number. */
    private boolean proves(List<Word.Proof> proofs, int content) {
        long number = proofs.stream()
                .mapToLong(proof -> steps.lexicon.number(proof.content()))
                .max()
                .orElse(0);
        if (number != steps.lexicon.number(content)) {
            return number > steps.lexicon.number(content);
        }
        List<Word.Proof> same = proofs.stream()
                .filter(proof -> steps.lexicon.number(proof.content()) == number)
                .toList();
        int attempt = same.stream().mapToInt(Word.Proof::attempt).max().orElse(0);
        return same.stream().filter(proof -> proof.attempt() == attempt).allMatch(proof -> proof.content() == content);
    }
}
