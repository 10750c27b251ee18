package org.aspas.emulab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Ed25519Comparison;
import org.aspas.certify.identity.Ed25519Comparison.Library;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme.Signer;
import org.aspas.emulab.sim.report.JsonReport;
import org.jspecify.annotations.Nullable;

/**
 * Compares what libraries need to sign and to verify: the processor time of one thread, which other processes hardly
 * change. The libraries take turns, round by round, and the median round counts.
 */
final class SignatureSpeed {
    private static final int KEYS = 32;
    private static final int TEXT_BYTES = 256;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int ROUNDS = 9;

    /** How long each library signs, and verifies, in one round, in nanoseconds of processor time. */
    static final long USUAL_ROUND = 150_000_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final Library library;
    private final List<Signer> signers = new ArrayList<>();
    private final List<PublicKey> keys = new ArrayList<>();
    private final List<byte[]> signatures = new ArrayList<>();
    private final byte[] text = new byte[TEXT_BYTES];
    private final double[] signing = new double[ROUNDS];
    private final double[] verifying = new double[ROUNDS];

    private SignatureSpeed(Library library) {
        this.library = library;
        for (int i = 0; i < KEYS; i++) {
            byte[] seed = new byte[Ed25519.SEED_LENGTH];
            seed[0] = (byte) i;
            signers.add(library.scheme().signer(seed));
            keys.add(Ed25519.publicKey(seed));
            signatures.add(signers.get(i).sign(text));
        }
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
        double sign = nanosPerCall(nanos, i -> signers.get(i % KEYS).sign(text));
        double verify = nanosPerCall(nanos, i -> {
            if (!library.scheme().verify(keys.get(i % KEYS), text, signatures.get(i % KEYS))) {
                throw new IllegalStateException(library.name() + " refuses its own signature");
            }
        });
        if (round >= 0) {
            signing[round] = sign;
            verifying[round] = verify;
        }
    }

    private static double nanosPerCall(long nanos, IntConsumer call) {
        long start = CLOCK.getCurrentThreadCpuTime();
        long spent = 0;
        int calls = 0;
        while (spent < nanos) {
            for (int i = 0; i < KEYS; i++) {
                call.accept(i);
            }
            calls += KEYS;
            spent = CLOCK.getCurrentThreadCpuTime() - start;
        }
        return (double) spent / calls;
    }

    private double nanosToSign() {
        return signing[ROUNDS / 2];
    }

    private double nanosToVerify() {
        return verifying[ROUNDS / 2];
    }

    private static void print(PrintWriter out, List<SignatureSpeed> measured) {
        out.println("Ed25519, " + TEXT_BYTES
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
        return new Json(JsonReport.SCHEMA_VERSION, inUse, TEXT_BYTES, libraries);
    }
}
