package org.aspas.certify.machine;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Stable;

/**
 * What may follow on the end of the chain: which answers to the open question may be counted, and what content an answer makes.
 */
record Successor(Membership members, History history, Convictions convictions) {
    Ask ask(Round asked) {
        return new Ask(
                asked.epoch(),
                asked.number(),
                history.hash(),
                history.number().next(),
                asked.goal(),
                convictions.exclusions());
    }

    /** Whether an answer says as much as the open question asks for, and nothing that cannot be. */
    boolean admits(Round asked, Stable answer) {
        return answer.previous().equals(history.hash())
                && answer.version().equals(asked.goal())
                && StableCheck.fit(answer, members.quorums().appservers())
                && StableCheck.plausible(answer, history.version(), history.roots());
    }

    /** What an answer that is decided makes the next content; empty where the closure held everything back, for then there is nothing new to certify. */
    Optional<CertificateContent> of(Stable decision) {
        return decision.closed().equals(history.version())
                        && convictions.exclusions().equals(history.exclusions())
                ? Optional.empty()
                : Optional.of(new CertificateContent(
                        members.deployment(),
                        history.number().next(),
                        history.hash(),
                        decision.closed(),
                        decision.closedRoots(),
                        decision.state(),
                        convictions.exclusions()));
    }

    /**
     * The content that the open question will decide, if the order has these answers before the question's time is over.
     *
     * @param answers of distinct servers, to any questions; those that the order would refuse do not count
     */
    Optional<CertificateContent> foreseen(Round asked, Collection<Stable> answers) {
        List<Stable> valid = answers.stream()
                .filter(answer ->
                        asked.asks(answer) && !convictions.convicted(answer.server()) && admits(asked, answer))
                .toList();
        return new Tally(members.quorums(), valid).decision().flatMap(this::of);
    }
}
