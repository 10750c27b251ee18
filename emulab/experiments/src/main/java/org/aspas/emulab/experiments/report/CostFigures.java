package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.emulab.sim.script.FigureTree;
import org.jspecify.annotations.Nullable;

/**
 * What a run took, from counters. What is divided by updates is everything that happened, that for reads too; so read such a figure
 * where all operations are updates. What a system has not, or the machine does not tell, is left out.
 *
 * @param updates how many updates succeeded, read-modify-writes among them
 * @param operations how many operations of any kind succeeded
 * @param signedPerUpdate signatures made for an update by party, and by {@code all}
 * @param verifiedPerUpdate signatures verified for an update by party, and by {@code all}
 * @param signedByUse signatures made for an update by what they are for
 * @param verifiedByUse signatures verified for an update by what they are for
 * @param signaturePrice what one costs here, measured after the run
 * @param cryptoFloorMicrosPerUpdate processor time that those signatures alone need, all parties together
 * @param packetsPerUpdate packets on the loopback interface, of all processes of the machine
 * @param slicesPerUpdate slices of time that the scheduler gave to the run's threads
 * @param cpuMicrosPerOperation processor time of an operation by whom the thread works for
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CostFigures(
        long updates,
        long operations,
        SortedMap<String, Double> signedPerUpdate,
        SortedMap<String, Double> verifiedPerUpdate,
        Map<String, Double> signedByUse,
        Map<String, Double> verifiedByUse,
        @Nullable SignaturePrice signaturePrice,
        @Nullable Double cryptoFloorMicrosPerUpdate,
        @Nullable Double packetsPerUpdate,
        @Nullable Double slicesPerUpdate,
        SortedMap<String, Double> cpuMicrosPerOperation) {
    private static final String ALL = "all";
    private static final String ROW = "    %-20s %9s %9s";
    private static final double NANOS_PER_MICRO = 1e3;
    private static final int MOST_SHOWN = 4;

    /** The processor time that a signature library needs for one operation. */
    public record SignaturePrice(double signMicros, double verifyMicros) {}

    public CostFigures {
        signedPerUpdate = Collections.unmodifiableSortedMap(new TreeMap<>(signedPerUpdate));
        verifiedPerUpdate = Collections.unmodifiableSortedMap(new TreeMap<>(verifiedPerUpdate));
        signedByUse = Collections.unmodifiableMap(new TreeMap<>(signedByUse));
        verifiedByUse = Collections.unmodifiableMap(new TreeMap<>(verifiedByUse));
        cpuMicrosPerOperation = Collections.unmodifiableSortedMap(new TreeMap<>(cpuMicrosPerOperation));
    }

    /**
     * The figures of a run.
     *
     * @param signatures public-key operations by party; empty for a system without
     * @param price what one costs; null for a system without
     * @param packets on the loopback interface; null where it is not known
     * @param slices of the run's threads; null where it is not known
     * @param nanos processor time by whom the thread works for; empty where it is not known
     */
    public static CostFigures of(
            long updates,
            long operations,
            SortedMap<String, SignatureCounts.Reading> signatures,
            @Nullable SignaturePrice price,
            @Nullable Long packets,
            @Nullable Long slices,
            SortedMap<String, Long> nanos) {
        boolean counted = updates > 0 && !signatures.isEmpty();
        SignatureCounts.Reading all =
                signatures.values().stream().reduce(SignatureCounts.Reading.NOTHING, SignatureCounts.Reading::plus);
        Double floor = counted && price != null
                ? (all.signatures() * price.signMicros() + all.verifications() * price.verifyMicros()) / updates
                : null;
        return new CostFigures(
                updates,
                operations,
                counted
                        ? byParty(signatures, all, SignatureCounts.Reading::signatures, updates)
                        : Collections.emptySortedMap(),
                counted
                        ? byParty(signatures, all, SignatureCounts.Reading::verifications, updates)
                        : Collections.emptySortedMap(),
                counted ? byUse(all.signed(), updates) : Map.of(),
                counted ? byUse(all.verified(), updates) : Map.of(),
                counted ? price : null,
                floor,
                per(packets, updates),
                per(slices, updates),
                operations == 0 ? Collections.emptySortedMap() : micros(nanos, operations));
    }

    private static SortedMap<String, Double> byParty(
            SortedMap<String, SignatureCounts.Reading> signatures,
            SignatureCounts.Reading all,
            ToLongFunction<SignatureCounts.Reading> count,
            long updates) {
        SortedMap<String, Double> rates = new TreeMap<>();
        signatures.forEach((party, reading) -> rates.put(party, (double) count.applyAsLong(reading) / updates));
        rates.put(ALL, (double) count.applyAsLong(all) / updates);
        return rates;
    }

    private static Map<String, Double> byUse(Map<Domain, Long> counts, long updates) {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(use -> use.getKey().label(), use -> (double) use.getValue() / updates));
    }

    private static @Nullable Double per(@Nullable Long count, long updates) {
        return count == null || updates == 0 ? null : (double) count / updates;
    }

    private static SortedMap<String, Double> micros(SortedMap<String, Long> nanos, long operations) {
        SortedMap<String, Double> micros = new TreeMap<>();
        nanos.forEach((party, spent) -> micros.put(party, spent / NANOS_PER_MICRO / operations));
        return micros;
    }

    /** The lines of a report for people; none when nothing is known. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!signedPerUpdate.isEmpty()) {
            lines.add(String.format(Locale.ROOT, "  %-22s %9s %9s", "public-key, per update", "signed", "verified"));
            signedPerUpdate.forEach((party, signed) -> lines.add(String.format(
                    Locale.ROOT, ROW, party, number(signed), number(verifiedPerUpdate.getOrDefault(party, 0.0)))));
            lines.add("    signed, mostly for   " + uses(signedByUse));
            lines.add("    verified, mostly for " + uses(verifiedByUse));
        }
        FigureTree figures = FigureTree.of(this);
        if (cryptoFloorMicrosPerUpdate != null) {
            lines.add(figures.line("  cryptography's floor   {crypto_floor_micros_per_update|%.0f} µs per update:"
                    + " {signature_price.sign_micros|%.1f} to sign, {signature_price.verify_micros|%.1f} to verify"));
        }
        if (packetsPerUpdate != null) {
            lines.add(figures.line("  packets per update     {packets_per_update|%.1f}, the machine's"));
        }
        if (slicesPerUpdate != null) {
            lines.add(figures.line("  slices per update      {slices_per_update|%.1f}"));
        }
        if (!cpuMicrosPerOperation.isEmpty()) {
            lines.add("  processor, µs per operation");
            cpuMicrosPerOperation.forEach(
                    (party, micros) -> lines.add(String.format(Locale.ROOT, "    %-20s %9.1f", party, micros)));
        }
        return lines;
    }

    private static String uses(Map<String, Double> rates) {
        return rates.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MOST_SHOWN)
                .map(use -> use.getKey() + " " + number(use.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
