package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.emulab.experiments.report.CostFigures.SignaturePrice;
import org.aspas.emulab.workload.SystemUnderTest;

/**
 * What a run takes from the moment when this is made: the differences of counters that go on all the time. Machine and threads are
 * read when the workload ends, signatures when all that it caused is over: what a server verifies late counts too.
 */
public final class CostMeter {
    private static final Path SELF = Path.of("/proc/self");
    private static final double NANOS_PER_MICRO = 1e3;
    private static final long PRICED_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private final SystemUnderTest system;
    private final SortedMap<String, SignatureCounts.Reading> signatures;
    private final Moment begun;
    private Moment end;

    private record Moment(OptionalLong packets, List<ThreadTimes> processes) {}

    /**
     * Begins to measure.
     *
     * @throws IOException when a server cannot be asked
     */
    public CostMeter(SystemUnderTest system) throws IOException, InterruptedException {
        this.system = system;
        this.signatures = system.signatures();
        this.begun = now();
        this.end = begun;
    }

    public void workloadEnds() {
        end = now();
    }

    /** This process first. */
    private Moment now() {
        List<ThreadTimes> processes = Stream.concat(
                        Stream.of(SELF),
                        system.processes().stream().map(one -> Path.of("/proc", Long.toString(one.pid()))))
                .map(ThreadTimes::of)
                .toList();
        return new Moment(LoopbackPackets.read(LoopbackPackets.USUAL), processes);
    }

    /**
     * The figures until now, when no update waits any more.
     *
     * @param updates how many updates succeeded
     * @param operations how many operations of any kind did
     * @throws IOException when a server cannot be asked
     */
    public CostFigures figures(long updates, long operations) throws IOException, InterruptedException {
        SortedMap<String, SignatureCounts.Reading> made = new TreeMap<>();
        system.signatures()
                .forEach((party, reading) -> made.put(
                        party, reading.since(signatures.getOrDefault(party, SignatureCounts.Reading.NOTHING))));
        long slices = 0;
        SortedMap<String, Long> nanos = new TreeMap<>();
        for (int process = 0; process < end.processes().size(); process++) {
            ThreadTimes taken =
                    end.processes().get(process).since(begun.processes().get(process));
            slices += taken.slices();
            String side = end.processes().size() == 1 ? "" : process == 0 ? "clients_" : "servers_";
            taken.nanosBy(thread -> name(side, Party.of(thread)))
                    .forEach((party, spent) -> nanos.merge(party, spent, Long::sum));
        }
        return CostFigures.of(
                updates,
                operations,
                made,
                made.isEmpty() ? null : price(),
                end.packets().isPresent() && begun.packets().isPresent()
                        ? end.packets().getAsLong() - begun.packets().getAsLong()
                        : null,
                nanos.isEmpty() ? null : slices,
                nanos);
    }

    /** Each process has a JVM of its own; the other names tell the side. */
    private static String name(String side, Party party) {
        return party == Party.JVM || party == Party.OTHER ? side + party.key() : party.key();
    }

    /** Of the library that this process uses, which is compiled when a run is over. */
    private static SignaturePrice price() {
        SignatureCost cost = new SignatureCost(Ed25519Choice.ofThisProcess().scheme());
        return new SignaturePrice(
                cost.nanosToSign(PRICED_NANOS) / NANOS_PER_MICRO, cost.nanosToVerify(PRICED_NANOS) / NANOS_PER_MICRO);
    }

    /**
     * How many packets the loopback interface has carried, from Linux's {@code /proc/net/dev}: those of all processes of the
     * network namespace. One packet may be up to 64 KiB, since nothing on the way needs smaller ones.
     */
    static final class LoopbackPackets {
        /** Where Linux tells. */
        public static final Path USUAL = Path.of("/proc/net/dev");

        private static final String INTERFACE = "lo:";
        /** After the interface's name, and the bytes received. */
        private static final int RECEIVED = 1;

        private LoopbackPackets() {}

        /** The packets until now; empty where the system does not tell. */
        public static OptionalLong read(Path file) {
            try {
                return Files.readString(file, StandardCharsets.US_ASCII)
                        .lines()
                        .map(String::strip)
                        .filter(line -> line.startsWith(INTERFACE))
                        .map(line -> line.substring(INTERFACE.length()).strip().split(" +", -1))
                        .filter(columns -> columns.length > RECEIVED)
                        .mapToLong(columns -> Long.parseLong(columns[RECEIVED]))
                        .findFirst();
            } catch (IOException | NumberFormatException elsewhereThanLinux) {
                return OptionalLong.empty();
            }
        }
    }

    /** Who a thread works for, by its name in the kernel. */
    enum Party {
        /** Byzantine clients. */
        ATTACKERS("flood"),
        /** What burns beside a run as much as attackers would take. */
        BURNERS("burn"),
        /** Clients, and the generator of their load. */
        CLIENTS("aspas-client", "load-", "HttpClient-", "ordered-clients"),
        /** Appservers and other servers of clients: their actors, sessions, verification, stores. */
        APPSERVERS(
                "aspas-", "frames-", "accept-app", "session-", "json-client", "leaves-", "store-", "obft-", "replies-"),
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
}
