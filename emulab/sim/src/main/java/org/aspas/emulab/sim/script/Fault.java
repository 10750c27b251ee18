package org.aspas.emulab.sim.script;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.node.Conditions;

/**
 * One fault.
 *
 * @param number its place in the plan, from 0
 * @param begins when, in microseconds of virtual time
 * @param some the servers concerned; of a partition, one side
 * @param others of a partition, the other side
 */
public record Fault(
        int number,
        Kind kind,
        long begins,
        long ends,
        List<NodeId> some,
        List<NodeId> others,
        int client,
        Conditions conditions) {
    public enum Kind {
        /** An appserver crashes and starts again from its disk. */
        CRASH,
        /** All appservers crash at once. */
        CRASH_ALL,
        /** A bftserver crashes and is taught again by the others. */
        REPLICA_CRASH,
        /** Bftservers are cut off from the other bftservers. */
        REPLICA_CUT,
        /** The BFT cluster stands still. */
        CLUSTER_STOP,
        /** All bftservers crash at once, and start again with nothing but their records. */
        CLUSTER_COLD_START,
        /** Two sides do not reach each other. */
        PARTITION,
        /** One side does not reach the other, which reaches it. */
        ONE_WAY,
        /** A session between two servers breaks. */
        LINK_BREAK,
        /** A client's connection breaks. */
        CLIENT_BREAK,
        /** A client stops and starts again from its record. */
        CLIENT_CRASH,
        /** Frames between servers are lost, doubled and overtaken. */
        WEATHER,
        /** The next writing to a disk is interrupted by a crash: a part of the last record stays. */
        DISK_TORN,
        /** A disk is full. */
        DISK_FULL,
        /** A crash, and a bit of the disk is another one: it must be refused, until it is replaced. */
        DISK_DAMAGED,
        /** A crash, and the disk is empty. */
        DISK_LOST,
        /** A crash, and the disk is as it was when the fault began. */
        DISK_OLD,
        /** An appserver crashes at a step of the repair of its log. */
        REPAIR_CRASH,
        /** All bftservers crash at once when one of them records something. */
        COLD_START_AT_STEP,
        /** A party starts only when the fault ends. */
        LATE_JOIN,
        /** Appservers, f at most, come back with a disk that is lost, damaged or old: drawn as {@link #DISK_LOST} and the like. */
        AMNESIA,
        /** An appserver crashes, and its base is gone or damaged: the journal is whole. */
        BASE_LOST,
        /** An appserver is told to end, ends in order or by a crash, and starts again. */
        DRAIN,
        /** A client comes back without its record, or on an older one: drawn as {@link #DISK_LOST} and {@link #DISK_OLD}. */
        FORGOTTEN_RECORD,
        /** An appserver that answers when the operating system has its entries ends with its machine. In no plan. */
        POWER_CUT;

        /** The kinds that have been drawn since the first version, each from the same stream. */
        public static final Set<Kind> FIRST = Collections.unmodifiableSet(EnumSet.range(CRASH, WEATHER));

        /** Those that concern what is stored, or who was never there: each has a stream of its own. */
        public static final Set<Kind> LATER =
                Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.range(CRASH, WEATHER)));

        /** What happens to the stores of appservers and the records of clients, besides what can happen to any disk. */
        public static final Set<Kind> STORES = Collections.unmodifiableSet(EnumSet.range(AMNESIA, FORGOTTEN_RECORD));

        /** All others that a plan may have. */
        public static final Set<Kind> USUAL = Collections.unmodifiableSet(EnumSet.range(CRASH, LATE_JOIN));
    }

    public Fault {
        some = List.copyOf(some);
        others = List.copyOf(others);
    }

    public boolean ofClient() {
        return kind == Kind.CLIENT_BREAK || kind == Kind.CLIENT_CRASH || (Kind.LATER.contains(kind) && some.isEmpty());
    }

    /** The one server that it concerns, the first one of several. */
    public NodeId node() {
        return some.get(0);
    }

    @Override
    public String toString() {
        String whom = ofClient()
                ? " client-" + client
                : kind == Kind.WEATHER ? " " + conditions : " " + some + (others.isEmpty() ? "" : " | " + others);
        return String.format(Locale.ROOT, "#%d %s %.3f-%.3f s%s", number, kind, begins / 1e6, ends / 1e6, whom);
    }
}
