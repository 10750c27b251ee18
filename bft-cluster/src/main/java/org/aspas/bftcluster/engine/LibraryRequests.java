package org.aspas.bftcluster.engine;

import bftsmart.clientsmanagement.ClientData;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a running replica of the library has, and the time that it gives its leader to order them. Every
 * request is in the library's layout and was checked before. Methods may wait for the library's locks. Thread-safe.
 */
public final class LibraryRequests {
    private final Supplier<@Nullable TOMLayer> layer;
    private final BooleanSupplier ready;
    private final long usualTimeoutMillis;

    /**
     * The requests of one replica.
     *
     * @param layer the library's ordering layer; null before it exists
     * @param usualTimeoutMillis the request timeout that the library begins with, in milliseconds
     */
    LibraryRequests(Supplier<@Nullable TOMLayer> layer, BooleanSupplier ready, long usualTimeoutMillis) {
        this.layer = layer;
        this.ready = ready;
        this.usualTimeoutMillis = usualTimeoutMillis;
    }

    private @Nullable TOMLayer ready() {
        return ready.getAsBoolean() ? layer.get() : null;
    }

    /** The ordering layer when its timer for requests exists; else null. */
    private @Nullable TOMLayer timed() {
        TOMLayer known = layer.get();
        return known == null || known.requestsTimer == null ? null : known;
    }

    private static TOMMessage message(byte[] request) {
        TOMMessage message = TOMMessage.bytesToMessage(request);
        message.serializedMessage = request;
        return message;
    }

    /**
     * Gives the replica a client's request, as if it came through its request port.
     *
     * @return whether the library has seen it; false while the replica does not take part yet or no more
     */
    public boolean inject(byte[] request) {
        TOMLayer known = ready();
        if (known == null) {
            return false;
        }
        known.requestReceived(message(request));
        return true;
    }

    /**
     * Runs what gives the replica several requests. If it leads, and no instance is under way, they are all there when it
     * proposes: the library would propose the first as soon as it has that, and the others an instance later.
     *
     * @param giving calls {@link #inject} or {@link #injectAnew}; must not wait for anything else
     */
    public void together(Runnable giving) {
        TOMLayer known = ready();
        if (known == null) {
            giving.run();
            return;
        }
        Lock proposing = LibraryInternals.messagesLock(known);
        proposing.lock();
        try {
            giving.run();
        } finally {
            proposing.unlock();
        }
    }

    /**
     * Gives the replica a request that it is to order although it may have had the request, or a later one of the same
     * session, before: others wait for it. It may then be ordered twice.
     *
     * @return as {@link #inject}
     */
    public boolean injectAnew(byte[] request) {
        TOMLayer known = ready();
        if (known == null) {
            return false;
        }
        TOMMessage message = message(request);
        ClientData client = known.clientsManager.getClientData(message.getSender());
        int last = client.getSession() == message.getSession() ? client.getLastMessageReceived() : -1;
        if (last != -1) {
            client.setLastMessageReceived(message.getSequence() - 1);
        }
        known.requestReceived(message);
        if (last > message.getSequence()) {
            client.setLastMessageReceived(last);
        }
        return true;
    }

    /** Has the replica no longer suspect its leader because of a request that it passed on to the leader before. */
    public void suspend(byte[] request) {
        TOMLayer known = timed();
        if (known != null) {
            known.requestsTimer.unwatch(message(request));
        }
    }

    /** Has the replica suspect its leader when a request that it passed on to the leader before is not ordered. */
    public void watch(byte[] request) {
        TOMLayer known = timed();
        if (known != null) {
            TOMMessage message = message(request);
            message.timeout = true;
            known.requestsTimer.watch(message);
        }
    }

    /** Has the replica neither wait for a request nor order it, unless another replica proposes it. */
    public void forget(byte[] request) {
        TOMLayer known = timed();
        if (known != null) {
            TOMMessage message = message(request);
            known.requestsTimer.unwatch(message);
            LibraryInternals.removePending(known.clientsManager.getClientData(message.getSender()), message);
        }
    }

    /**
     * The request timeout, in milliseconds. After so long the replica passes a request on to its leader; after twice as
     * long it suspects the leader.
     */
    public long timeoutMillis() {
        TOMLayer known = timed();
        return known == null ? usualTimeoutMillis : known.requestsTimer.getTimeout();
    }

    /**
     * Sets another request timeout until the next change of leaders.
     *
     * @param millis less than the usual request timeout, in milliseconds
     */
    public void shortenTimeout(long millis) {
        TOMLayer known = timed();
        if (known != null) {
            known.requestsTimer.setShortTimeout(millis);
        }
    }
}
