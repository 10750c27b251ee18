package org.aspas.emulab.experiments.usage;

import java.util.List;
import java.util.Locale;

/** Who a thread works for, by its name in the kernel. */
enum Party {
    /** Byzantine clients. */
    ATTACKERS("flood"),
    /** What burns beside a run as much as attackers would take. */
    BURNERS("burn"),
    /** Clients, and the generator of their load. */
    CLIENTS("aspas-client", "load-", "HttpClient-", "ordered-clients"),
    /** Appservers and other servers of clients: their actors, sessions, verification, stores. */
    APPSERVERS("aspas-", "frames-", "accept-app", "session-", "json-client", "leaves-", "store-", "obft-", "replies-"),
    /** Bftservers: their cores, replicas, and what BFT-SMaRt names, or leaves without a name. */
    BFTSERVERS(
            "effects-",
            "replica-",
            "record-",
            "accept-bft",
            "ordering-",
            "nioEventLoop",
            "Receiver for",
            "Sender for",
            "Server CS",
            "TOM Layer",
            "Delivery Thr",
            "request timer",
            "Thread-"),
    /** Loops that carry the links of all servers of a process. */
    LINKS("link-"),
    /** Compilers, collectors and other threads of the JVM itself. */
    JVM(
            "C1 Comp",
            "C2 Comp",
            "GC Thread",
            "G1 ",
            "VM ",
            "Sweeper",
            "Reference H",
            "Finalizer",
            "Common-Cl",
            "Signal D",
            "Service T",
            "Monitor D",
            "Notification",
            "Attach L",
            "java"),
    OTHER;

    private final List<String> prefixes;

    Party(String... prefixes) {
        this.prefixes = List.of(prefixes);
    }

    /** The first party that has such names. */
    static Party of(String thread) {
        for (Party party : values()) {
            if (party.prefixes.stream().anyMatch(thread::startsWith)) {
                return party;
            }
        }
        return OTHER;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
