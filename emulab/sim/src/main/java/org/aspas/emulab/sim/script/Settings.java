package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.sim.engine.Keyring;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run depends on: equal settings give equal runs.
 *
 * @param seed where all randomness comes from
 * @param f how many appservers may be Byzantine
 * @param b how many bftservers may be Byzantine
 * @param clients how many correct clients there are
 * @param micros how long faults happen and clients work, in microseconds of virtual time
 * @param pauseMicros the mean time between two calls of one client; 0 when it calls as soon as its last call is answered
 * @param roles the Byzantine roles, by name; each takes its share of the parties
 * @param faultPauseMicros the mean time between two faults
 * @param leftOut the numbers of faults that do not happen
 * @param roundTripMicros the round trip between any two sites, or 0 for random sites
 * @param script faults that happen besides the plan; their numbers are negative
 * @param traced how many of the last events to keep
 * @param wary whether all clients may leave their servers, else those that begin at a correct one stay
 * @param retained how many certificates an appserver keeps for those that were away, at least 1
 * @param schedule the name of an exact order of events, which is that of its scenario, or empty
 * @param mostGapMicros the longest time without a certificate that passes, or 0 for any
 * @param mostEntriesPerUpdate how many entries per update, besides one session of each client, pass at the end, or 0 for any
 * @param tolerance the τ of all clients for the whole run, 0 for unbounded; empty: by chance, and changed now and then
 * @param world how far the parties are from each other; null for places by chance
 * @param processors the machines and what work costs on them; null when work takes no time
 */
public record Settings(
        long seed,
        int f,
        int b,
        int clients,
        long micros,
        long pauseMicros,
        List<String> roles,
        Set<Fault.Kind> faults,
        long faultPauseMicros,
        Set<Integer> leftOut,
        Keyring keyring,
        long roundTripMicros,
        List<Fault> script,
        int traced,
        boolean wary,
        int retained,
        String schedule,
        Workload.Mix workload,
        long mostGapMicros,
        double mostEntriesPerUpdate,
        OptionalLong tolerance,
        @Nullable WorldMap world,
        @Nullable ProcessorModel processors) {
    /** The schedule of a run by chance in which all correct clients have one key. */
    public static final String ONE_KEY = "one-key";

    /** Whether the order of events is that of a scenario, and not by chance alone. */
    public boolean exact() {
        return !schedule.isEmpty() && !schedule.equals(ONE_KEY);
    }

    public Settings {
        roles = List.copyOf(roles);
        faults = Set.copyOf(faults);
        leftOut = Set.copyOf(leftOut);
        script = List.copyOf(script);
        if (processors != null && !(roles.isEmpty() && faults.isEmpty() && script.isEmpty() && schedule.isEmpty())) {
            throw new IllegalArgumentException("costs are for runs without faults, roles and scenarios");
        }
        if (processors != null && world != null && !world.faults().isEmpty()) {
            throw new IllegalArgumentException("costs are for worlds without a timeline: " + world.name() + " has one");
        }
    }

    /** A short run of this seed: four appservers, five clients, ten seconds, every usual fault. */
    public static Settings of(long seed) {
        return new Settings(
                seed,
                1,
                1,
                5,
                10_000_000,
                400_000,
                List.of(),
                Fault.Kind.USUAL,
                800_000,
                Set.of(),
                Keyring.FAST,
                0,
                List.of(),
                0,
                false,
                Limits.DEFAULT.retainedCertificates(),
                "",
                Workload.Mix.FULL,
                0,
                0,
                OptionalLong.empty(),
                null,
                null);
    }

    public Quorums quorums() {
        return new Quorums(f, b);
    }

    public Settings withSeed(long other) {
        return with(draft -> draft.seed = other);
    }

    public Settings withFaultBounds(int otherF, int otherB) {
        return with(draft -> {
            draft.f = otherF;
            draft.b = otherB;
        });
    }

    public Settings withClients(int number, long pause) {
        return with(draft -> {
            draft.clients = number;
            draft.pauseMicros = pause;
        });
    }

    public Settings withMicros(long other) {
        return with(draft -> draft.micros = other);
    }

    public Settings withRoles(List<String> other) {
        return with(draft -> draft.roles = other);
    }

    public Settings withFaults(Set<Fault.Kind> other, long pause) {
        return with(draft -> {
            draft.faults = other;
            draft.faultPauseMicros = pause;
        });
    }

    /** The same without these faults of the plan. */
    public Settings without(Set<Integer> numbers) {
        return with(draft -> draft.leftOut = numbers);
    }

    public Settings withKeyring(Keyring other) {
        return with(draft -> draft.keyring = other);
    }

    public Settings withRoundTrip(long other) {
        return with(draft -> draft.roundTripMicros = other);
    }

    public Settings withTrace(int kept) {
        return with(draft -> draft.traced = kept);
    }

    public Settings withScript(List<Fault> other) {
        return with(draft -> draft.script = other);
    }

    public Settings withWary(boolean other) {
        return with(draft -> draft.wary = other);
    }

    public Settings withRetained(int other) {
        return with(draft -> draft.retained = other);
    }

    public Settings withSchedule(String other) {
        return with(draft -> draft.schedule = other);
    }

    public Settings withWorkload(Workload.Mix other) {
        return with(draft -> draft.workload = other);
    }

    public Settings withMostGap(long other) {
        return with(draft -> draft.mostGapMicros = other);
    }

    public Settings withMostEntriesPerUpdate(double other) {
        return with(draft -> draft.mostEntriesPerUpdate = other);
    }

    /** The same with one τ for all clients and the whole run, 0 for unbounded. */
    public Settings withTolerance(long other) {
        return with(draft -> draft.tolerance = OptionalLong.of(other));
    }

    public Settings withWorld(WorldMap other) {
        return with(draft -> draft.world = other);
    }

    public Settings withProcessors(ProcessorModel other) {
        return with(draft -> draft.processors = other);
    }

    private Settings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /** Settings that are being changed. */
    private static final class Draft {
        private long seed;
        private int f;
        private int b;
        private int clients;
        private long micros;
        private long pauseMicros;
        private List<String> roles;
        private Set<Fault.Kind> faults;
        private long faultPauseMicros;
        private Set<Integer> leftOut;
        private Keyring keyring;
        private long roundTripMicros;
        private List<Fault> script;
        private int traced;
        private boolean wary;
        private int retained;
        private String schedule;
        private Workload.Mix workload;
        private long mostGapMicros;
        private double mostEntriesPerUpdate;
        private OptionalLong tolerance;
        private @Nullable WorldMap world;
        private @Nullable ProcessorModel processors;

        Draft(Settings from) {
            this.seed = from.seed;
            this.f = from.f;
            this.b = from.b;
            this.clients = from.clients;
            this.micros = from.micros;
            this.pauseMicros = from.pauseMicros;
            this.roles = from.roles;
            this.faults = from.faults;
            this.faultPauseMicros = from.faultPauseMicros;
            this.leftOut = from.leftOut;
            this.keyring = from.keyring;
            this.roundTripMicros = from.roundTripMicros;
            this.script = from.script;
            this.traced = from.traced;
            this.wary = from.wary;
            this.retained = from.retained;
            this.schedule = from.schedule;
            this.workload = from.workload;
            this.mostGapMicros = from.mostGapMicros;
            this.mostEntriesPerUpdate = from.mostEntriesPerUpdate;
            this.tolerance = from.tolerance;
            this.world = from.world;
            this.processors = from.processors;
        }

        Settings settings() {
            return new Settings(
                    seed,
                    f,
                    b,
                    clients,
                    micros,
                    pauseMicros,
                    roles,
                    faults,
                    faultPauseMicros,
                    leftOut,
                    keyring,
                    roundTripMicros,
                    script,
                    traced,
                    wary,
                    retained,
                    schedule,
                    workload,
                    mostGapMicros,
                    mostEntriesPerUpdate,
                    tolerance,
                    world,
                    processors);
        }
    }
}
