package org.aspas.bftcluster.isolation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.aspas.certify.bound.BoundedMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a replica may suspect its leader because of a request, and when the leader's replica takes a request
 * that others pass on to it. The library passes a request that waits too long on to the leader; after the same time
 * again it suspects the leader. Both are abused easily. A leader that takes everything takes forged requests in others'
 * names. And a bftserver that gives a request to one replica alone makes that replica suspect every leader; b Byzantine
 * ones then suffice to change leaders.
 *
 * <p>So the isolation layer of a replica that passes a request on tells all others that the request waits there. Whoever has the
 * same bytes waiting says so too. The leader's replica takes the request when its owner or b+1 replicas said that it
 * waits. A replica does not suspect its leader because of a request until b+1 others said that they have it.
 *
 * <p>What is kept is bounded for each peer, and the oldest goes first. Thread-safe; calls nobody while it holds its
 * lock.
 */
final class LeaderSuspicion {
    /** How many requests are remembered that one peer said it has waiting. */
    static final int MOST_SAID = 8192;
    /** How many requests that one peer passed on may wait until others say that they have them. */
    static final int MOST_PASSED_ON = 4096;
    /** After this long a request is no longer doubted about. */
    private static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final int self;
    private final int enough;
    private final long maxBytes;
    private final LocalRequests local;
    private final Consumer<WaitingRequest> tell;
    private final Map<Integer, Map<WaitingRequest, Boolean>> said = new TreeMap<>();
    private final Map<Integer, PassedOn> passedOn = new TreeMap<>();
    private final Map<WaitingRequest, Boolean> told = new BoundedMap<>(MOST_SAID);
    private final Map<RequestId, Own> own = new LinkedHashMap<>();

    interface LocalRequests {
        byte @Nullable [] waiting(RequestId id);

        /** Has the local replica order a request that others wait for. */
        void order(byte[] request);

        /** Has the local replica not doubt its leader because of a request. */
        void suspend(byte[] request);

        /** Has the local replica doubt its leader because of a request again. */
        void resume(byte[] request);
    }

    /** What one peer has passed on and nobody vouches for yet. */
    private static final class PassedOn {
        private final Map<WaitingRequest, byte[]> requests = new LinkedHashMap<>();
        private long bytes;
    }

    /** A request that the local replica has passed on itself. */
    private static final class Own {
        private final WaitingRequest name;
        private final byte[] request;
        private final long sinceNanos;
        private final long untilNanos;
        private boolean suspended;

        Own(WaitingRequest name, byte[] request, long sinceNanos, long untilNanos) {
            this.name = name;
            this.request = request;
            this.sinceNanos = sinceNanos;
            this.untilNanos = untilNanos;
        }
    }

    /**
     * Starts without suspicion.
     *
     * @param enough how many replicas are too many to be all Byzantine
     * @param maxBytes how much one peer may have passed on that waits for others, in bytes
     * @param tell tells all other isolation layers that a request waits in the local replica
     */
    LeaderSuspicion(int self, int enough, long maxBytes, LocalRequests local, Consumer<WaitingRequest> tell) {
        this.self = self;
        this.enough = enough;
        this.maxBytes = maxBytes;
        this.local = local;
        this.tell = tell;
    }

    /** Another replica passes a request on to this one, which it takes for the leader. */
    void passedOn(int peer, byte[] request) {
        WaitingRequest name = WaitingRequest.of(request);
        byte[] known = local.waiting(name.id());
        if (known != null && Arrays.equals(known, request)) {
            said(peer, name);
            return;
        }
        synchronized (this) {
            PassedOn mine = passedOn.computeIfAbsent(peer, any -> new PassedOn());
            byte[] before = mine.requests.put(name, request);
            mine.bytes += request.length - (before == null ? 0 : before.length);
            Iterator<byte[]> oldest = mine.requests.values().iterator();
            while (mine.bytes > maxBytes || mine.requests.size() > MOST_PASSED_ON) {
                mine.bytes -= oldest.next().length;
                oldest.remove();
            }
        }
        said(peer, name);
    }

    /** Another replica says that a request waits there. */
    void said(int peer, WaitingRequest name) {
        byte[] waiting = local.waiting(name.id());
        boolean untold;
        byte[] order;
        byte[] resume;
        synchronized (this) {
            said.computeIfAbsent(peer, any -> new BoundedMap<>(MOST_SAID)).put(name, true);
            untold = waiting != null && WaitingRequest.of(waiting).equals(name) && told.putIfAbsent(name, true) == null;
            order = vouched(name);
            resume = confirmed(name);
        }
        if (untold) {
            tell.accept(name);
        }
        if (order != null) {
            local.order(order);
        }
        if (resume != null) {
            local.resume(resume);
        }
    }

    private long sayers(WaitingRequest name) {
        return said.values().stream().filter(one -> one.containsKey(name)).count();
    }

    /** A request that was passed on and may be ordered now. */
    private byte @Nullable [] vouched(WaitingRequest name) {
        boolean owned = said.getOrDefault(name.owner(), Map.of()).containsKey(name);
        if (!owned && sayers(name) < enough) {
            return null;
        }
        byte[] request = null;
        for (PassedOn one : passedOn.values()) {
            byte[] removed = one.requests.remove(name);
            if (removed != null) {
                one.bytes -= removed.length;
                request = removed;
            }
        }
        return request;
    }

    /** A request for which the local replica is to doubt its leader again. */
    private byte @Nullable [] confirmed(WaitingRequest name) {
        Own mine = own.get(name.id());
        if (mine == null || !mine.name.equals(name) || sayers(name) < enough) {
            return null;
        }
        own.remove(name.id());
        return mine.suspended ? mine.request : null;
    }

    /**
     * The local replica passes a request on to its leader.
     *
     * @param nanos the time, from {@link System#nanoTime()}
     * @param patienceNanos so long others may take to say that they have it
     */
    void passesOn(byte[] request, long nanos, long patienceNanos) {
        WaitingRequest name = WaitingRequest.of(request);
        if (name.owner() == self) {
            return;
        }
        boolean untold;
        synchronized (this) {
            if (sayers(name) < enough) {
                own.put(name.id(), new Own(name, request, nanos, nanos + patienceNanos));
            }
            untold = told.putIfAbsent(name, true) == null;
        }
        if (untold) {
            tell.accept(name);
        }
    }

    /** Looks which requests nobody else has. */
    void look(long nanos) {
        List<byte[]> suspended = new ArrayList<>();
        synchronized (this) {
            Iterator<Own> all = own.values().iterator();
            while (all.hasNext()) {
                Own one = all.next();
                if (!one.suspended && nanos - one.untilNanos >= 0) {
                    one.suspended = true;
                    suspended.add(one.request);
                }
                if (nanos - one.sinceNanos >= FORGET_NANOS) {
                    all.remove();
                }
            }
        }
        suspended.forEach(local::suspend);
    }

    synchronized void executed(RequestId id) {
        own.remove(id);
    }
}
