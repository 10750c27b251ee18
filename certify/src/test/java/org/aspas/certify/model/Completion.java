package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether certification can go on from a state: all correct replicas run, their words are ordered, time passes, appservers
 * answer, and the liar is silent; it does as it should only while a correct replica has no record and has not been taught,
 * for then the two are more than b. One fair run is tried, until all correct replicas have signed a number beyond all that
 * the search decides.
 */
final class Completion {
    private static final int LONGEST = 600;

    private final Steps steps;
    private final Keys keys;
    private final long beyond;
    private final Fingerprints visited;
    private final Fingerprints completed = new Fingerprints();
    private long made;

    /**
     * Runs from the states of a search.
     *
     * @param visited the states that were met, from all of which but the newest certification can go on
     */
    Completion(Steps steps, Keys keys, Bounds bounds, Fingerprints visited) {
        this.visited = visited;
        this.steps = steps;
        this.keys = keys;
        this.beyond = bounds.numbers() + 1L;
    }

    /** How many states were added to those that the search met. */
    long made() {
        return made;
    }

    /** The steps after which nothing goes on; null when certification goes on. */
    List<String> stuck(State from) {
        List<long[]> path = new ArrayList<>();
        List<String> told = new ArrayList<>();
        Map<Long, Integer> seen = new HashMap<>();
        State state = from;
        while (state != null && !done(state)) {
            keys.make(state);
            if (known(path)) {
                break;
            }
            if (seen.put(keys.first, path.size()) != null || path.size() > LONGEST) {
                told.add("the same again");
                return told;
            }
            path.add(new long[] {keys.first, keys.second});
            state = next(state, told);
        }
        if (state == null) {
            return told;
        }
        made += path.size();
        path.stream().skip(1).forEach(key -> completed.add(key[0], key[1]));
        return null;
    }

    private boolean known(List<long[]> path) {
        boolean met = !path.isEmpty() && path.get(0)[0] != keys.first && visited.contains(keys.first, keys.second);
        return met || completed.contains(keys.first, keys.second);
    }

    private boolean done(State state) {
        for (int content = 0; content < steps.lexicon.contentCount(); content++) {
            if (steps.lexicon.number(content) == beyond && state.signers(content) == Lexicon.CORRECT) {
                return true;
            }
        }
        return false;
    }

    /** The first thing that changes anything; null when nothing does. */
    private State next(State state, List<String> told) {
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            if (!steps.replicas.node(state.replicas()[replica]).runs()) {
                told.add("replica " + replica + " starts again");
                return steps.restarted(state, replica, false);
            }
        }
        State words = spoken(state, told);
        if (words != null) {
            return words;
        }
        if (mayDecide(state)) {
            State decided = steps.follow(state, steps.machines.decide(state.machine(), 0));
            if (decided != null) {
                told.add("appservers decide content A");
                return decided;
            }
        }
        told.add("time steps");
        return steps.follow(state, steps.machines.tick(state.machine()));
    }

    /** What correct replicas would say now, ordered: words before statements, of which each can take the place of the one before for ever. */
    private State spoken(State state, List<String> told) {
        State next = spoken(state, false, told);
        if (next == null) {
            next = spoken(state, true, told);
        }
        return next == null && untaught(state) ? taught(state, told) : next;
    }

    private State spoken(State state, boolean statements, List<String> told) {
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            int node = state.replicas()[replica];
            int open = steps.machines.node(state.machine()).repeated();
            Replicas.Result repeated = steps.replicas.handled(node, open, Steps.ALL);
            if (repeated.next() != node) {
                told.add("replica " + replica + " repeats what is open");
                return state.with(replica, repeated, steps.soups);
            }
            for (int word : repeated.words()) {
                State next = Soups.passes(steps.lexicon.word(word)) == statements ? ordered(state, word, told) : null;
                if (next != null) {
                    return next;
                }
            }
            for (int word : statements ? steps.replicas.stated(node) : new int[0]) {
                State next = ordered(state, word, told);
                if (next != null) {
                    return next;
                }
            }
        }
        return null;
    }

    private boolean untaught(State state) {
        return Arrays.stream(state.replicas())
                .anyMatch(node -> !steps.replicas.node(node).knowing());
    }

    private State taught(State state, List<String> told) {
        for (int word : steps.soups.words(state.soup())) {
            if (steps.lexicon.word(word) instanceof Word.Stating stating && answersNow(state, stating)) {
                State next = ordered(state, word, told);
                if (next != null) {
                    return next;
                }
            }
        }
        int[] lies = steps.lies(state);
        for (int i = lies.length - 1; i >= 0; i--) {
            Word word = steps.lexicon.word(lies[i]);
            boolean helps = !(word instanceof Word.Stating stating) || answersNow(state, stating);
            State next = helps ? ordered(state, lies[i], told) : null;
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    private boolean answersNow(State state, Word.Stating stating) {
        int asking = stating.answers().replica();
        return asking >= 0 && steps.replicas.awaits(state.replicas()[asking], stating);
    }

    private State ordered(State state, int word, List<String> told) {
        State next = steps.follow(state, steps.machines.order(state.machine(), word));
        if (next == null || same(state, next)) {
            return null;
        }
        told.add(steps.lexicon.describe(steps.lexicon.word(word)));
        return next;
    }

    private static boolean same(State one, State other) {
        return one.machine() == other.machine()
                && one.soup() == other.soup()
                && one.signed() == other.signed()
                && Arrays.equals(one.replicas(), other.replicas());
    }

    /**
     * Whether appservers answer the question for the next number: the certificate before it is there, also without the
     * liar's signature, and none with this number can be there.
     */
    private boolean mayDecide(State state) {
        Machines.Node machine = steps.machines.node(state.machine());
        int newest = machine.view().newest();
        boolean adopted = machine.number() == 0
                || state.signers(newest) == Lexicon.CORRECT
                || followed(state, machine.number() + 1);
        for (int content = 0; content < steps.lexicon.contentCount(); content++) {
            boolean certified = state.signers(content) >= steps.lexicon.quorums.bftserverQuorum() - 1;
            adopted &= !(certified && steps.lexicon.number(content) > machine.number());
        }
        return adopted;
    }

    /** Whether a content with this number was decided before: then the one before it was adopted. */
    private boolean followed(State state, long number) {
        for (int word : steps.soups.words(state.soup())) {
            if (steps.lexicon.word(word) instanceof Word.Accepting accept
                    && steps.lexicon.number(accept.content()) == number) {
                return true;
            }
        }
        return false;
    }
}
