package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.ClientEvent.Why;

/** Which appserver this client talks to, and which it would turn to: one that it has the least against, by lot. */
public final class Servers {
    private enum Opinion {
        NONE,
        LEFT,
        LIED,
        CONVICTED
    }

    private final ClientSettings settings;
    private final RandomGenerator random;
    private final Step step;
    private final Opinion[] opinions;
    private final RefusedObjects refused = new RefusedObjects();
    private int current;

    public Servers(ClientSettings settings, RandomGenerator random, Step step) {
        this.settings = settings;
        this.random = random;
        this.step = step;
        this.opinions = new Opinion[settings.servers()];
        Arrays.fill(opinions, Opinion.NONE);
        this.current = settings.server();
    }

    public int current() {
        return current;
    }

    /** The key of a server that exists. */
    public PublicKey key(int server) {
        return settings.keys().get(server);
    }

    public boolean exists(int server) {
        return server >= 0 && server < opinions.length;
    }

    /** Whether this client leaves a server that is of no use; else it stays with its first one whatever happens. */
    public boolean switching() {
        return settings.policy().switching();
    }

    /**
     * The present server says something that is not signed.
     *
     * @param saying the servers that said the same before, to which this one is added
     * @return whether the client believes it: f+1 say so, of which one is correct, or the one with which the client stays
     */
    public boolean hear(Set<Integer> saying) {
        saying.add(current);
        return !switching() || saying.size() >= oneCorrect();
    }

    /**
     * The present server refuses to do something with an object.
     *
     * @param what the operation, or what kind of read
     * @return whether f+1 servers have said the same of late, for any call
     */
    public boolean refuses(String key, String type, Object what, Refusal.Reason reason) {
        return refused.refused(current, step.now(), key, type, what, reason) >= oneCorrect();
    }

    /** Among this many servers at least one is correct. */
    public int oneCorrect() {
        return settings.quorums().oneCorrectAppserver();
    }

    /** All but one, in order. */
    public List<Integer> allBut(int server) {
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < opinions.length; i++) {
            if (i != server) {
                others.add(i);
            }
        }
        return others;
    }

    public List<Integer> others() {
        return allBut(current);
    }

    public boolean convicted(int server) {
        return opinions[server] == Opinion.CONVICTED;
    }

    /** A server is convicted by evidence with this hash: the client never turns to it again, and leaves it if it is there. */
    public void convict(int server, Hash evidence) {
        if (convicted(server)) {
            return;
        }
        opinions[server] = Opinion.CONVICTED;
        step.happened(new ClientEvent.Convicted(server, evidence));
        if (server == current) {
            step.leave(Why.CONVICTED, "appserver " + server + " is convicted by evidence " + evidence);
        }
    }

    /** Turns to a server that the application chose; false, and nothing changes, where that is the present one or is convicted. */
    public boolean moveTo(int server) {
        if (server == current || convicted(server)) {
            return false;
        }
        current = server;
        return true;
    }

    /**
     * Leaves the present server; empty, and nothing changes, when every other one is convicted.
     *
     * @param why the reason, which counts against the present server
     * @param better servers that are known to respond faster. Where these are at most f, all of them may be liars in a system that
     *     is slow: then the servers that the client has the least against have the same chance. Those that lied are not chosen for being fast
     */
    public OptionalInt moveOn(Why why, Set<Integer> better) {
        int from = current;
        Opinion worse = why == Why.NOT_VERIFIED || why == Why.NOT_INSPECTABLE ? Opinion.LIED : Opinion.LEFT;
        if (opinions[from].compareTo(worse) < 0) {
            opinions[from] = worse;
        }
        List<Integer> candidates = allBut(from);
        candidates.removeIf(this::convicted);
        if (candidates.isEmpty()) {
            return OptionalInt.empty();
        }
        List<Integer> chosen = chosen(candidates, better);
        current = chosen.get(random.nextInt(chosen.size()));
        return OptionalInt.of(current);
    }

    private List<Integer> chosen(List<Integer> candidates, Set<Integer> better) {
        List<Integer> fast = new ArrayList<>(candidates);
        fast.removeIf(server -> !better.contains(server) || opinions[server] == Opinion.LIED);
        if (fast.isEmpty()) {
            return best(candidates);
        }
        if (fast.size() >= oneCorrect()) {
            return best(fast);
        }
        List<Integer> all = new ArrayList<>(candidates);
        List<Integer> best = best(candidates);
        all.removeIf(server -> !fast.contains(server) && !best.contains(server));
        return all;
    }

    /** The servers among these that this client has the least against. */
    private List<Integer> best(List<Integer> some) {
        Opinion best =
                Collections.min(some.stream().map(server -> opinions[server]).toList());
        List<Integer> all = new ArrayList<>(some);
        all.removeIf(server -> opinions[server] != best);
        return all;
    }

    /**
     * What servers refuse to do with objects: a refusal that f+1 servers gave in the last ten minutes, of which one is correct, is
     * believed at once. So calls that all servers refuse move a client once, and not once for each call. For one thread.
     */
    private static final class RefusedObjects {
        private static final int REMEMBERED = 1_024;
        private static final long KEPT_MILLIS = 600_000;

        private record Refused(String key, String type, Object what, Refusal.Reason reason) {}

        /** When each server last said so. */
        private final BoundedMap<Refused, TreeMap<Integer, Long>> said = new BoundedMap<>(REMEMBERED);

        /** How many servers say so, this one among them. */
        int refused(int server, long now, String key, String type, Object what, Refusal.Reason reason) {
            TreeMap<Integer, Long> by =
                    said.computeIfAbsent(new Refused(key, type, what, reason), any -> new TreeMap<>());
            by.values().removeIf(at -> now - at >= KEPT_MILLIS);
            by.put(server, now);
            return by.size();
        }
    }
}
