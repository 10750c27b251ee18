package org.aspas.emulab.experiments.costs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.processor.Linear;

/** Measures what needs no socket: signatures of the scheme that this process uses, and the codec. For one thread. */
final class PureCosts {
    private static final int ROUNDS = 5;
    private static final long ROUND_NANOS = 150_000_000;
    private static final int SMALL = 200;
    private static final int LARGE = 4_200;
    private static final int CALLS = 20;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final Hash deployment = Hash.sha256(new byte[] {1});
    private final SigningKey key = SigningKey.of(new byte[32]);
    private final Verifier verifier =
            new Verifier(deployment, Ed25519Choice.ofThisProcess().scheme());
    private int used;

    Linear sign() {
        return line(bytes -> {
            byte[] text = new byte[bytes];
            return () -> used += key.sign(Domain.REQUEST, deployment, text)[0];
        });
    }

    Linear verify() {
        return line(bytes -> {
            byte[] text = new byte[bytes];
            byte[] signature = key.sign(Domain.REQUEST, deployment, text);
            return () -> used += verifier.verify(key.publicKey(), Domain.REQUEST, text, signature) ? 1 : 0;
        });
    }

    Linear encode() {
        return line(bytes -> {
            Batch batch = batch(bytes);
            return () -> used += Codec.encode(batch).length;
        });
    }

    Linear decode() {
        return line(bytes -> {
            byte[] frame = Codec.encode(batch(bytes));
            return () -> used += Codec.decode(frame).accepted().isPresent() ? 1 : 0;
        });
    }

    /** A batch is the longest of the usual frames: a signed head, and entries as byte strings. */
    private Batch batch(int bytes) {
        Signed<Head> head = new Sealer(key, deployment).seal(new Head(0, 5, Hash.ZERO));
        return new Batch(head, List.of(new byte[bytes / 2], new byte[bytes / 2]));
    }

    private interface Work {
        Runnable of(int bytes);
    }

    private static Linear line(Work work) {
        double small = nanos(work.of(SMALL));
        double large = nanos(work.of(LARGE));
        double slope = Math.max(0, (large - small) / (LARGE - SMALL));
        return new Linear(Math.max(0, small - slope * SMALL), slope);
    }

    /** The median of some rounds, after one that warms up. */
    private static double nanos(Runnable work) {
        round(work);
        double[] rounds =
                IntStream.range(0, ROUNDS).mapToDouble(round -> round(work)).toArray();
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static double round(Runnable work) {
        long begin = CLOCK.getCurrentThreadCpuTime();
        long spent = 0;
        int calls = 0;
        while (spent < ROUND_NANOS) {
            for (int i = 0; i < CALLS; i++) {
                work.run();
            }
            calls += CALLS;
            spent = CLOCK.getCurrentThreadCpuTime() - begin;
        }
        return (double) spent / calls;
    }

    @Override
    public String toString() {
        return "results " + used;
    }
}
