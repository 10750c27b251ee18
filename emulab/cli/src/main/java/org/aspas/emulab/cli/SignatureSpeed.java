package org.aspas.emulab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Ed25519Comparison;
import org.aspas.certify.identity.Ed25519Comparison.Library;
import org.aspas.emulab.experiments.report.SignatureCost;
import org.aspas.emulab.sim.script.JsonReport;
import org.jspecify.annotations.Nullable;

/**
 * Compares what libraries need to sign and to verify: the processor time of one thread, which other processes hardly
 * change. The libraries take turns, round by round, and the median round counts.
 */
final class SignatureSpeed {
    private static final int WARM_UP_ROUNDS = 3;
    private static final int ROUNDS = 9;

    /** How long each library signs, and verifies, in one round, in nanoseconds of processor time. */
    static final long USUAL_ROUND = 150_000_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Library library;
    private final SignatureCost cost;
    private final double[] signing = new double[ROUNDS];
    private final double[] verifying = new double[ROUNDS];

    private SignatureSpeed(Library library) {
        this.library = library;
        this.cost = new SignatureCost(library.scheme());
    }

    /** Measures all libraries and prints a table; into a file too, when there is one. */
    static void compare(PrintWriter out, @Nullable Path json, long roundNanos) throws IOException {
        List<SignatureSpeed> measured =
                Ed25519Comparison.all().stream().map(SignatureSpeed::new).toList();
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            for (SignatureSpeed one : measured) {
                one.round(round, roundNanos);
            }
        }
        measured.forEach(one -> {
            Arrays.sort(one.signing);
            Arrays.sort(one.verifying);
        });
        print(out, measured);
        if (json != null) {
            JsonReport.write(json(measured), json);
        }
    }

    private void round(int round, long nanos) {
        double sign = cost.nanosToSign(nanos);
        double verify = cost.nanosToVerify(nanos);
        if (round >= 0) {
            signing[round] = sign;
            verifying[round] = verify;
        }
    }

    private double nanosToSign() {
        return signing[ROUNDS / 2];
    }

    private double nanosToVerify() {
        return verifying[ROUNDS / 2];
    }

    private static void print(PrintWriter out, List<SignatureSpeed> measured) {
        out.println("Ed25519, " + SignatureCost.TEXT_BYTES
                + " bytes, one thread, per second of its processor time; ratios to the first line.");
        out.println("In use here: " + Ed25519Choice.ofThisProcess().description() + ".");
        out.println();
        out.println("    VERIFY  RATIO      SIGN  RATIO  RULE  LIBRARY");
        SignatureSpeed first = measured.get(0);
        for (SignatureSpeed one : measured) {
            out.println(String.format(
                    Locale.ROOT,
                    "%10.0f %6.2f %9.0f %6.2f  %-4s  %s",
                    NANOS_PER_SECOND / one.nanosToVerify(),
                    first.nanosToVerify() / one.nanosToVerify(),
                    NANOS_PER_SECOND / one.nanosToSign(),
                    first.nanosToSign() / one.nanosToSign(),
                    one.library.byTheRule() ? "yes" : "no",
                    one.library.name()));
        }
        out.println();
        out.println("RULE: whether it passes the self-test of every start (docs/formats.md, sections 3 and 12).");
        out.flush();
    }

    /** The comparison for programs: the components are the keys. */
    private record Json(int schemaVersion, String inUse, int textBytes, List<LibraryJson> libraries) {}

    private record LibraryJson(
            String library,
            boolean byTheRule,
            double verifyUs,
            double signUs,
            double verificationsPerSecond,
            double signaturesPerSecond) {}

    private static Json json(List<SignatureSpeed> measured) {
        List<LibraryJson> libraries = measured.stream()
                .map(one -> new LibraryJson(
                        one.library.name(),
                        one.library.byTheRule(),
                        one.nanosToVerify() / NANOS_PER_MICRO,
                        one.nanosToSign() / NANOS_PER_MICRO,
                        NANOS_PER_SECOND / one.nanosToVerify(),
                        NANOS_PER_SECOND / one.nanosToSign()))
                .toList();
        String inUse = Ed25519Choice.ofThisProcess().description();
        return new Json(JsonReport.SCHEMA_VERSION, inUse, SignatureCost.TEXT_BYTES, libraries);
    }
}
