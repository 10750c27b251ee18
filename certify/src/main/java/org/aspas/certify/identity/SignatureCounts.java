package org.aspas.certify.identity;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts the public-key operations of one node, or of several parties together, by their use. Thread-safe. */
public final class SignatureCounts implements SignatureMeter {
    private final LongAdder[] signed = adders();
    private final LongAdder[] verified = adders();

    private static LongAdder[] adders() {
        return Stream.generate(LongAdder::new).limit(Domain.values().length).toArray(LongAdder[]::new);
    }

    @Override
    public void signed(Domain use) {
        signed[use.ordinal()].increment();
    }

    @Override
    public void verified(Domain use) {
        verified[use.ordinal()].increment();
    }

    public Reading read() {
        return new Reading(sums(signed), sums(verified));
    }

    private static Map<Domain, Long> sums(LongAdder... adders) {
        Map<Domain, Long> sums = new EnumMap<>(Domain.class);
        for (Domain use : Domain.values()) {
            sums.put(use, adders[use.ordinal()].sum());
        }
        return sums;
    }

    /**
     * Counts at one moment, or of the time between two. Immutable.
     *
     * @param signed how many signatures were made, by use; uses without any are left out
     * @param verified how many were verified, by use; uses without any are left out
     */
    public record Reading(Map<Domain, Long> signed, Map<Domain, Long> verified) {
        public static final Reading NOTHING = new Reading(Map.of(), Map.of());

        public Reading {
            signed = counted(signed);
            verified = counted(verified);
        }

        /** In the order of the uses. */
        private static Map<Domain, Long> counted(Map<Domain, Long> counts) {
            Map<Domain, Long> kept = new EnumMap<>(Domain.class);
            counts.forEach((use, count) -> {
                if (count != 0) {
                    kept.put(use, count);
                }
            });
            return Collections.unmodifiableMap(kept);
        }

        public Reading plus(Reading other) {
            return new Reading(added(signed, other.signed, 1), added(verified, other.verified, 1));
        }

        /** What was counted since an earlier reading of the same counts. */
        public Reading since(Reading earlier) {
            return new Reading(added(signed, earlier.signed, -1), added(verified, earlier.verified, -1));
        }

        private static Map<Domain, Long> added(Map<Domain, Long> to, Map<Domain, Long> what, int times) {
            Map<Domain, Long> sums = new EnumMap<>(Domain.class);
            sums.putAll(to);
            what.forEach((use, count) -> sums.merge(use, times * count, Long::sum));
            return sums;
        }

        public long signatures() {
            return sum(signed);
        }

        public long verifications() {
            return sum(verified);
        }

        private static long sum(Map<Domain, Long> counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
