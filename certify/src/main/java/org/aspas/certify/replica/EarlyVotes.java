package org.aspas.certify.replica;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/**
 * The ACCEPTs and COMMITs of all replicas as they arrive, before they are ordered (docs/proofs/early-votes.md). Of each replica
 * the few newest of each kind are kept, whatever they are about, so that nobody's words push out another one's. A
 * signature is looked at when its word counts, and once; the word goes when it is wrong. Not thread-safe.
 */
final class EarlyVotes {
    /** How many ACCEPTs, and how many COMMITs, are kept of one replica. */
    static final int KEPT = 4;

    private final Membership members;
    private final Map<Integer, Deque<Signed<Accept>>> accepts = new TreeMap<>();
    private final Map<Integer, Deque<Signed<Commit>>> commits = new TreeMap<>();

    EarlyVotes(Membership members) {
        this.members = members;
    }

    /** Takes a word, which its replica itself gave; anything else is left out. */
    void hear(Signed<? extends Message> word) {
        word.as(Accept.class).ifPresent(accept -> keep(accepts, accept.message().replica(), accept));
        word.as(Commit.class).ifPresent(commit -> keep(commits, commit.message().replica(), commit));
    }

    private static <M extends Message> void keep(Map<Integer, Deque<Signed<M>>> kept, int replica, Signed<M> word) {
        Deque<Signed<M>> newest = kept.computeIfAbsent(replica, any -> new ArrayDeque<>());
        if (!newest.contains(word)) {
            newest.addLast(word);
            if (newest.size() > KEPT) {
                newest.removeFirst();
            }
        }
    }

    /** A replica has lost its record, and with it what its words rest on. */
    void forget(int replica) {
        accepts.remove(replica);
        commits.remove(replica);
    }

    /** Spares an ordered word its verification if it was verified here. */
    void recall(Signed<? extends Message> word) {
        word.as(Accept.class)
                .ifPresent(accept -> recall(accepts, accept.message().replica(), accept));
        word.as(Commit.class)
                .ifPresent(commit -> recall(commits, commit.message().replica(), commit));
    }

    private static <M extends Message> void recall(Map<Integer, Deque<Signed<M>>> kept, int replica, Signed<M> word) {
        for (Signed<M> known : kept.getOrDefault(replica, new ArrayDeque<>())) {
            if (word.verifiedAs(known)) {
                return;
            }
        }
    }

    /** The proof that 2b+1 accepted a content in this attempt; empty while too few have. */
    Optional<ProvenContent> proof(Decided decided) {
        Hash hash = decided.hash();
        List<Signed<Accept>> right = right(
                accepts,
                accept -> accept.number().equals(decided.content().number())
                        && accept.attempt() == decided.attempt()
                        && accept.content().equals(hash));
        return right.size() < quorum()
                ? Optional.empty()
                : Optional.of(new ProvenContent(decided.content(), decided.payload(), right.subList(0, quorum())));
    }

    /** Whether 2b+1 committed to a proof of this content from this attempt. */
    boolean committed(ProvenContent proven) {
        Hash hash = proven.hash();
        List<Signed<Commit>> right = right(
                commits,
                commit -> commit.number().equals(proven.number())
                        && commit.attempt() == proven.attempt()
                        && commit.content().equals(hash));
        return right.size() >= quorum();
    }

    private int quorum() {
        return members.quorums().bftserverQuorum();
    }

    /** One word of each replica that says this and is rightly signed, in order of the replicas. */
    private <M extends Message> List<Signed<M>> right(Map<Integer, Deque<Signed<M>>> kept, Predicate<M> says) {
        List<Signed<M>> right = new ArrayList<>();
        if (kept.values().stream().filter(words -> said(words, says)).count() < quorum()) {
            return right; // Too few to be worth a verification.
        }
        kept.forEach((replica, words) -> verified(replica, words, says).ifPresent(right::add));
        return right;
    }

    private static <M extends Message> boolean said(Deque<Signed<M>> words, Predicate<M> says) {
        return words.stream().anyMatch(word -> says.test(word.message()));
    }

    private <M extends Message> Optional<Signed<M>> verified(int replica, Deque<Signed<M>> words, Predicate<M> says) {
        for (Iterator<Signed<M>> all = words.iterator(); all.hasNext(); ) {
            Signed<M> word = all.next();
            if (!says.test(word.message())) {
                continue;
            }
            if (word.verify(members.verifier(), members.bftservers().get(replica), Sealer.domainOf(word.message()))) {
                return Optional.of(word);
            }
            all.remove();
        }
        return Optional.empty();
    }
}
