package org.aspas.emulab.experiments.report;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.SignatureScheme.Signer;

/** What a library needs to sign and to verify: the processor time of one thread, which other processes hardly change. */
public final class SignatureCost {
    public static final int TEXT_BYTES = 256;

    private static final int KEYS = 32;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final SignatureScheme scheme;
    private final List<Signer> signers = new ArrayList<>();
    private final List<PublicKey> keys = new ArrayList<>();
    private final List<byte[]> signatures = new ArrayList<>();
    private final byte[] text = new byte[TEXT_BYTES];

    public SignatureCost(SignatureScheme scheme) {
        this.scheme = scheme;
        for (int i = 0; i < KEYS; i++) {
            byte[] seed = new byte[Ed25519.SEED_LENGTH];
            seed[0] = (byte) i;
            signers.add(scheme.signer(seed));
            keys.add(Ed25519.publicKey(seed));
            signatures.add(signers.get(i).sign(text));
        }
    }

    /**
     * Nanoseconds of processor time for a signature.
     *
     * @param nanos for how long signatures are made
     */
    public double nanosToSign(long nanos) {
        return nanosPerCall(nanos, i -> signers.get(i).sign(text));
    }

    /**
     * Nanoseconds of processor time for a verification.
     *
     * @param nanos for how long signatures are verified
     * @throws IllegalStateException when the library refuses its own signature
     */
    public double nanosToVerify(long nanos) {
        return nanosPerCall(nanos, i -> {
            if (!scheme.verify(keys.get(i), text, signatures.get(i))) {
                throw new IllegalStateException("a library refuses its own signature");
            }
        });
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
}
