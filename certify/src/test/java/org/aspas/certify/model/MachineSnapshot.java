package org.aspas.certify.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;

/**
 * What the snapshot of a machine says, with names for contents and proofs. Left out is what no step of the search depends on
 * (docs/model.md): time, but for whether an attempt may be replaced, epochs, what appservers reported, asked questions with
 * their answers, claims about numbers that are certified, and whose words made a proof.
 */
final class MachineSnapshot {
    private static final int ORIGINS = 4;

    /** What a replica claims of its record. */
    record Claim(long number, long attempt) {}

    private final ByteBuffer in;
    private final Lexicon lexicon;
    private final StringBuilder rest = new StringBuilder();
    private final TreeMap<Integer, Claim> claims = new TreeMap<>();
    private final TreeSet<Integer> accepts = new TreeSet<>();
    private final TreeSet<Integer> commits = new TreeSet<>();
    private long now;
    private boolean waits;
    private long number;
    private Hash newest = Hash.ZERO;
    private int pending = -1;
    private int attempt;
    private boolean proven;
    private Word.Proof earlier = Word.Proof.NONE;

    private MachineSnapshot(byte[] snapshot, Lexicon lexicon) {
        this.in = ByteBuffer.wrap(snapshot);
        this.lexicon = lexicon;
    }

    static MachineSnapshot read(CertificationMachine machine, Lexicon lexicon) {
        byte[] snapshot = machine.snapshot();
        MachineSnapshot view = new MachineSnapshot(snapshot, lexicon);
        view.in.getLong();
        view.hash();
        view.now = view.in.getLong();
        if (view.in.getLong() != 0) {
            throw new IllegalStateException("votes for a step of time lie open");
        }
        view.appservers();
        view.history();
        view.convictions();
        view.recovery();
        view.skip(3);
        view.rounds();
        view.proven = machine.openCommitment().isPresent();
        view.attempts();
        if (view.in.getLong() + view.in.getLong() != 0) {
            throw new IllegalStateException("a word before what it is about is decided");
        }
        if (view.in.hasRemaining()) {
            throw new IllegalStateException("the snapshot has another form");
        }
        return view;
    }

    /** The content that is pending, or -1. */
    int pending() {
        return pending;
    }

    int attempt() {
        return attempt;
    }

    /** Whether time has to pass before an attempt is replaced. */
    boolean waits() {
        return waits;
    }

    boolean proven() {
        return proven;
    }

    /** The newest content of the chain; -1 before the first. */
    int newest() {
        return lexicon.contentName(newest);
    }

    /** Everything, where replicas have other names. */
    String describe(int[] names) {
        TreeMap<Integer, Claim> renamed = new TreeMap<>();
        claims.forEach((replica, claim) -> renamed.put(names[replica], claim));
        return rest + " claims " + renamed + " pending " + pending + " " + attempt + " " + proven + " " + earlier
                + " accepts " + renamed(accepts, names) + " commits " + renamed(commits, names);
    }

    private static Set<Integer> renamed(Set<Integer> replicas, int[] names) {
        Set<Integer> renamed = new TreeSet<>();
        replicas.forEach(one -> renamed.add(names[one]));
        return renamed;
    }

    private void skip(int count) {
        in.position(in.position() + count * Long.BYTES);
    }

    private Hash hash() {
        byte[] bytes = new byte[Hash.LENGTH];
        in.get(bytes);
        return Hash.of(bytes);
    }

    private byte[] counted() {
        byte[] bytes = new byte[(int) in.getLong()];
        in.get(bytes);
        return bytes;
    }

    private boolean flag() {
        return in.get() == 1;
    }

    private void appservers() {
        for (long left = in.getLong(); left > 0; left--) {
            skip(1 + ORIGINS);
        }
        skip(ORIGINS + 3 * ORIGINS);
        if (in.getLong() != 0) {
            throw new IllegalStateException("no appserver dissents in the search");
        }
    }

    private void history() {
        rest.append("history ");
        number = in.getLong();
        rest.append(number).append(' ');
        newest = hash();
        rest.append(newest).append(' ');
        for (long left = in.getLong(); left > 0; left--) {
            ProvenContent link =
                    Codec.decode(counted(), ProvenContent.class).accepted().orElseThrow();
            newest = link.hash();
            number = link.number().value();
            rest.append(lexicon.proofOf(link)).append(' ');
        }
    }

    private void convictions() {
        long settled = in.getLong();
        long unsettled = in.getLong();
        if (settled + unsettled != 0) {
            throw new IllegalStateException("nobody is convicted in the search");
        }
    }

    private void recovery() {
        rest.append("recovery ").append(flag()).append(' ');
        long retries = in.getLong();
        waits = now < in.getLong();
        rest.append(retries).append(' ').append(waits).append(' ');
        for (long left = in.getLong(); left > 0; left--) {
            int replica = (int) in.getLong();
            skip(1);
            Claim claim = new Claim(in.getLong(), in.getLong());
            claims.put(replica, claim.number() > number ? claim : new Claim(0, 0));
        }
    }

    private void rounds() {
        for (int round = 0; round < 2; round++) {
            if (flag()) {
                skip(3 + ORIGINS);
                for (long left = in.getLong(); left > 0; left--) {
                    counted();
                }
            }
        }
    }

    private void attempts() {
        if (!flag()) {
            return;
        }
        byte[] payload = counted();
        pending = lexicon.contentName(
                Codec.decode(payload, CertificateContent.class).accepted().orElseThrow());
        attempt = (int) in.getLong();
        if (flag()) {
            earlier = lexicon.proofOf(
                    Codec.decode(counted(), ProvenContent.class).accepted().orElseThrow());
        }
        List<Integer> words = new ArrayList<>();
        for (long left = in.getLong(); left > 0; left--) {
            words.add(Codec.decodeSigned(counted(), Accept.class)
                    .accepted()
                    .orElseThrow()
                    .message()
                    .replica());
        }
        if (!proven) {
            accepts.addAll(words);
        }
        for (long left = in.getLong(); left > 0; left--) {
            commits.add((int) in.getLong());
        }
    }
}
