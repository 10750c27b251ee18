package org.aspas.emulab.experiments.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a large set cost its servers and a client.
 *
 * @param elements how many elements it had when the first page was read
 * @param pageElements how many elements a page has, in the mean
 * @param pageProofBytes the bytes of a page with all that proves it, in the mean
 * @param elementProofBytes the bytes of one element with all that proves it, in the mean; that it is there, or that it is not
 */
public record SetCosts(
        long elements,
        List<Sample> times,
        List<CertificateCost> certificates,
        double pageElements,
        double pageProofBytes,
        double elementProofBytes) {
    public SetCosts {
        times = List.copyOf(times);
        certificates = List.copyOf(certificates);
    }

    /**
     * What certificates took while elements were added.
     *
     * @param atOnce how many elements were added at a time
     * @param processorMillis the processor time of appserver 0 for each of them; all that it did is in it
     */
    public record CertificateCost(int atOnce, long certificates, double processorMillis) {}

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "  %-46s %13d", "elements", elements));
        times.stream().map(Sample::line).forEach(lines::add);
        for (CertificateCost one : certificates) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-46s %13.2f ms  (%d certificates)",
                    one.atOnce() + " added: processor of appserver-0 for each",
                    one.processorMillis(),
                    one.certificates()));
        }
        lines.add(mean("elements of a page, mean", pageElements));
        lines.add(mean("bytes of a page with its proof, mean", pageProofBytes));
        lines.add(mean("bytes of an element with its proof, mean", elementProofBytes));
        return lines;
    }

    private static String mean(String name, double mean) {
        return String.format(Locale.ROOT, "  %-46s %13.1f", name, mean);
    }
}
