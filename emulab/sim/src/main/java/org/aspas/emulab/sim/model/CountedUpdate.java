package org.aspas.emulab.sim.model;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;

/** An update that counted, or would count in a live view: one for each client and number. For one thread. */
public final class CountedUpdate {
    private final PlacedEntry entry;
    private final Request request;
    private final long certificate;
    private final Map<Dot, Long> dots =
            new TreeMap<>(Comparator.comparingInt(Dot::origin).thenComparingLong(Dot::sequence));

    CountedUpdate(PlacedEntry entry, Request request, long certificate) {
        this.entry = entry;
        this.request = request;
        this.certificate = certificate;
        dots.put(entry.dot(), certificate);
    }

    /** The same as it was at a certificate: without the dots that came later. */
    CountedUpdate at(long number) {
        CountedUpdate then = new CountedUpdate(entry, request, certificate);
        dots.forEach((dot, since) -> {
            if (since <= number) {
                then.dots.put(dot, since);
            }
        });
        return then;
    }

    public ClientId client() {
        return request.client();
    }

    public Request request() {
        return request;
    }

    /** The hash of the client's signed words. */
    public Hash identity() {
        return entry.identity();
    }

    /** The place that counted. */
    public Dot dot() {
        return entry.dot();
    }

    /** The number of the certificate in which it counted. */
    public long certificate() {
        return certificate;
    }

    /** Whether an entry at a place carries its words. */
    public boolean isAt(Dot place) {
        return dots.containsKey(place);
    }

    /** All its places, by origin and sequence, each with the certificate that brought it. */
    Map<Dot, Long> dots() {
        return dots;
    }

    /** Another entry with the same words came. */
    void alias(Dot another, long number) {
        dots.putIfAbsent(another, number);
    }

    /** Whether the entry that counted for this update depends on any place of another update. */
    boolean observed(CountedUpdate other) {
        return other.dots.keySet().stream().anyMatch(entry::observed);
    }
}
