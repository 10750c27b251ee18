package org.aspas.certify.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Collects the effects of a core's steps in their order. An effect that rests on records waits until all records that were
 * issued before it are durable. For the one thread that drives the core.
 */
public final class Outbox<E> {
    private record Held<E>(long ticket, E effect, long bytes) {}

    private final ToLongFunction<E> size;
    private final ArrayDeque<Held<E>> held = new ArrayDeque<>();
    private List<E> ready = new ArrayList<>();
    private long heldBytes;
    private long issued;
    private long durable;

    /** Makes an empty outbox; {@code size} gives the bytes that an effect counts while it waits. */
    public Outbox(ToLongFunction<E> size) {
        this.size = size;
    }

    /** The ticket of one more record. The caller hands the record to the shell by {@link #now}. */
    public Ticket issue() {
        return new Ticket(++issued);
    }

    /** Adds an effect that rests on no record. */
    public void now(E effect) {
        ready.add(effect);
    }

    /** Adds an effect that rests on the records issued so far: it leaves at once when they are durable, else it waits. */
    public void afterRecords(E effect) {
        if (durable >= issued) {
            ready.add(effect);
        } else {
            long bytes = size.applyAsLong(effect);
            heldBytes += bytes;
            held.addLast(new Held<>(issued, effect, bytes));
        }
    }

    /**
     * The records up to a ticket are durable.
     *
     * @throws IllegalStateException if the ticket was never issued: the shell is at fault
     */
    public void persisted(Ticket ticket) {
        if (ticket.value() > issued) {
            throw new IllegalStateException("ticket " + ticket + " was never issued; the last is " + issued);
        }
        durable = Math.max(durable, ticket.value());
        while (!held.isEmpty() && held.getFirst().ticket() <= durable) {
            Held<E> next = held.removeFirst();
            heldBytes -= next.bytes();
            ready.add(next.effect());
        }
    }

    /**
     * Lets such effects leave before their records are durable, when an operator chose so; each only behind all that was held
     * back for the same receiver.
     *
     * @param written the records up to this ticket survive the end of the process, and perhaps not that of the machine
     */
    public void release(Ticket written, Predicate<E> early, Function<E, Object> receiver) {
        Set<Object> waiting = new HashSet<>();
        held.removeIf(one -> {
            Object to = receiver.apply(one.effect());
            boolean leaves = one.ticket() <= written.value() && early.test(one.effect()) && !waiting.contains(to);
            if (leaves) {
                heldBytes -= one.bytes();
                ready.add(one.effect());
            } else {
                waiting.add(to);
            }
            return leaves;
        });
    }

    /** Forgets such effects of those that wait: they are no longer wanted, or their record will never be durable. */
    public void drop(Predicate<E> which) {
        held.removeIf(one -> {
            boolean dropped = which.test(one.effect());
            heldBytes -= dropped ? one.bytes() : 0;
            return dropped;
        });
    }

    public boolean waits(Predicate<E> which) {
        return held.stream().anyMatch(one -> which.test(one.effect()));
    }

    public int waiting() {
        return held.size();
    }

    public long waitingBytes() {
        return heldBytes;
    }

    /** The effects that may be carried out now, each once. */
    public List<E> take() {
        List<E> taken = ready;
        ready = new ArrayList<>();
        return taken;
    }
}
