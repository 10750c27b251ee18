package org.aspas.appserver.core.snapshot;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.wire.SnapshotPull;

/**
 * Questions that wait for their turn. Those of one asker keep their order, and askers take turns, so that one who asks much
 * delays another by one answer for each of its own. For one thread.
 */
final class QuestionQueue<A> {
    /** A question whose turn has come. */
    record Turn<A>(A asker, SnapshotPull pull) {}

    private final int mostOfOne;
    private final int mostOfAll;
    /** The asker whose turn is next comes first; each has a question that waits. */
    private final Map<A, ArrayDeque<SnapshotPull>> waiting = new LinkedHashMap<>();

    private int size;

    /**
     * An empty queue.
     *
     * @param mostOfOne so many questions of one asker wait at once, from 1
     * @param mostOfAll so many of all wait at once, from 1
     */
    QuestionQueue(int mostOfOne, int mostOfAll) {
        this.mostOfOne = mostOfOne;
        this.mostOfAll = mostOfAll;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return size;
    }

    boolean waits(A asker) {
        return waiting.containsKey(asker);
    }

    /**
     * Adds a question, if there is room. Where all have no more room, who has the most gives up its newest question for one that has
     * fewer.
     *
     * @return whose question does not wait: the asker's own, or another one's; empty when all do
     */
    Optional<A> add(A asker, SnapshotPull pull) {
        int own = count(asker);
        if (own >= mostOfOne) {
            return Optional.of(asker);
        }
        Optional<A> loser = Optional.empty();
        if (size >= mostOfAll) {
            A most = waiting.entrySet().stream()
                    .max(Map.Entry.comparingByValue((one, other) -> Integer.compare(one.size(), other.size())))
                    .orElseThrow()
                    .getKey();
            if (count(most) <= own + 1) {
                return Optional.of(asker);
            }
            waiting.getOrDefault(most, new ArrayDeque<>()).removeLast();
            size--;
            loser = Optional.of(most);
        }
        waiting.computeIfAbsent(asker, any -> new ArrayDeque<>()).addLast(pull);
        size++;
        return loser;
    }

    private int count(A asker) {
        ArrayDeque<SnapshotPull> own = waiting.get(asker);
        return own == null ? 0 : own.size();
    }

    /**
     * Takes the oldest question of the asker whose turn it is.
     *
     * @param may whether an asker may get an answer now; asked of one after another until it is true
     */
    Optional<Turn<A>> next(Predicate<A> may) {
        Optional<A> found = waiting.keySet().stream().filter(may).findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        A asker = found.get();
        ArrayDeque<SnapshotPull> own = waiting.remove(asker);
        if (own == null) {
            throw new IllegalStateException("nothing of " + asker + " waits");
        }
        SnapshotPull pull = own.removeFirst();
        size--;
        if (!own.isEmpty()) {
            waiting.put(asker, own);
        }
        return Optional.of(new Turn<>(asker, pull));
    }

    /** An asker is gone: nothing of it waits any more. */
    void gone(A asker) {
        size -= count(asker);
        waiting.remove(asker);
    }
}
