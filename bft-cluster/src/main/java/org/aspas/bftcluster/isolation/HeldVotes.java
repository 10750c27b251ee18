package org.aspas.bftcluster.isolation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.bftcluster.frame.Vote;

/**
 * Holds back other replicas' second votes until the own replica has cast its first vote for the same value in the same
 * instance and epoch. The library decides by second votes alone, whatever value it has:
 *
 * <ul>
 *   <li>A library without the value, or one that refused it because it still follows another leader, waits for the value for
 *       ever, in a busy loop of its message thread.
 *   <li>A library that has another value, from a leader that proposed two, delivers that one.
 * </ul>
 *
 * <p>A replica without these votes only falls behind, and fetches the state. Thread-safe.
 */
final class HeldVotes<P> {
    /** How many votes of one peer may be held. */
    static final int MOST_HELD = 4096;

    /** First votes are remembered for so many instances after the one that was executed last. */
    private static final int KEPT = 16;

    /** A second vote that waits. */
    record Held<P>(P peer, byte[] frame) {}

    /** What the own replica can vote for, once. */
    private record Place(int instance, int epoch, ByteBuffer hash) {
        static Place of(Vote vote) {
            return new Place(vote.instance(), vote.epoch(), vote.hash());
        }
    }

    private final TreeMap<Integer, Map<Place, List<Held<P>>>> held = new TreeMap<>();
    private final TreeMap<Integer, List<Place>> cast = new TreeMap<>();
    private final Map<P, Integer> heldOf = new HashMap<>();

    enum Fate {
        PASS,
        HELD,
        /** Too many of this peer wait. */
        DROPPED
    }

    /**
     * Takes another replica's second vote.
     *
     * @param done the last instance that the own replica executed
     */
    synchronized Fate second(P peer, Vote vote, byte[] frame, int done) {
        forget(done);
        Place place = Place.of(vote);
        if (vote.instance() <= done
                || cast.getOrDefault(vote.instance(), List.of()).contains(place)) {
            return Fate.PASS;
        }
        if (heldOf.getOrDefault(peer, 0) >= MOST_HELD) {
            return Fate.DROPPED;
        }
        heldOf.merge(peer, 1, Integer::sum);
        held.computeIfAbsent(vote.instance(), any -> new HashMap<>())
                .computeIfAbsent(place, any -> new ArrayList<>())
                .add(new Held<>(peer, frame));
        return Fate.HELD;
    }

    /**
     * The own replica has cast a first vote; seeing it again has no effect.
     *
     * @return the second votes that it may have now
     */
    synchronized List<Held<P>> first(Vote vote, int done) {
        forget(done);
        List<Place> places = cast.computeIfAbsent(vote.instance(), any -> new ArrayList<>());
        Place place = Place.of(vote);
        if (!places.contains(place)) {
            places.add(place);
        }
        Map<Place, List<Held<P>>> waiting = held.get(vote.instance());
        List<Held<P>> released = waiting == null ? null : waiting.remove(place);
        if (released == null) {
            return List.of();
        }
        released.forEach(this::leave);
        return released;
    }

    private void leave(Held<P> one) {
        heldOf.merge(one.peer(), -1, Integer::sum);
    }

    private void forget(int done) {
        cast.headMap(done - KEPT).clear();
        Iterator<Map<Place, List<Held<P>>>> past =
                held.headMap(done, true).values().iterator();
        while (past.hasNext()) {
            past.next().values().forEach(votes -> votes.forEach(this::leave));
            past.remove();
        }
    }
}
