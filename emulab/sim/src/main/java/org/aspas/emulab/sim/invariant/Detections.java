package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Who did wrong first when, and who noticed. For one thread at a time. */
public final class Detections {
    private static final class Misdeeds {
        final long micros;
        final long operations;
        long count;

        Misdeeds(long micros, long operations) {
            this.micros = micros;
            this.operations = operations;
        }
    }

    private final LongSupplier micros;
    private final LongSupplier operations;
    private final Map<String, Misdeeds> misdeeds = new HashMap<>();
    private final Set<String> noticed = new TreeSet<>();
    private final List<Detection> all = new ArrayList<>();

    /**
     * Nothing is noticed yet.
     *
     * @param micros the time in microseconds
     * @param operations how many updates correct clients have submitted by now
     */
    public Detections(LongSupplier micros, LongSupplier operations) {
        this.micros = micros;
        this.operations = operations;
    }

    private Misdeeds beginningNow() {
        return new Misdeeds(micros.getAsLong(), operations.getAsLong());
    }

    /** A Byzantine party did something that a correct one would not do; whether it was the first time. */
    public boolean misdeed(Object culprit) {
        return misdeeds.computeIfAbsent(culprit.toString(), any -> beginningNow()).count++ == 0;
    }

    public long misdeeds(Object culprit) {
        return misdeeds.getOrDefault(culprit.toString(), beginningNow()).count;
    }

    public int misdoers() {
        return misdeeds.size();
    }

    /** Somebody correct noticed a Byzantine party. The same one noticing the same thing again adds nothing. */
    public void noticed(Detection.Kind kind, Object by, Object culprit, String what) {
        if (noticed.add(kind.name() + by + culprit + what)) {
            Misdeeds first = misdeeds.getOrDefault(culprit.toString(), beginningNow());
            all.add(new Detection(
                    micros.getAsLong(),
                    by.toString(),
                    culprit.toString(),
                    what,
                    kind,
                    operations.getAsLong() - first.operations,
                    micros.getAsLong() - first.micros));
        }
    }

    /** All that was noticed, in the order of time. */
    public List<Detection> all() {
        return List.copyOf(all);
    }

    public Optional<Detection> first() {
        return all.stream().findFirst();
    }

    public Optional<Detection> first(Detection.Kind kind) {
        return all.stream().filter(one -> one.kind() == kind).findFirst();
    }
}
